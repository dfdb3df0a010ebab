import { channelsFor } from '../../model/place.ts';
import { useDesk } from '../../ui/desk.ts';
import { ariaOf, type FieldLabels } from '../form.ts';
import type { ElementState, PickerElement } from '../input-schema.ts';
import { pickedIn, pickedState } from '../picked.ts';

interface Props {
  element: PickerElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  onChoose: (state: ElementState) => void;
}

/** What the browser calls the controls of dates and times. */
const CONTROLS: Partial<Record<PickerElement['type'], string>> = {
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
};

/** A date, a time, both, a person or a channel. */
export function Picker({ element, state, labels, onChoose }: Props) {
  const offered = useOffered(element.type);
  const value = pickedIn(state) ?? '';
  const shared = {
    id: labels.id,
    className: value === '' ? 'control empty' : 'control',
    value,
    ...ariaOf(labels),
    onChange: (change: { target: { value: string } }) =>
      onChoose(pickedState(element.type, change.target.value || null)),
  };
  if (offered === null) return <input type={CONTROLS[element.type]} {...shared} />;
  return (
    <select {...shared}>
      <option value="" disabled={!labels.isOptional}>
        {element.placeholder?.text ?? 'Choose'}
      </option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Whom or what a list offers; `null` for dates and times. */
function useOffered(type: PickerElement['type']): { id: string; name: string }[] | null {
  const { workspace, as } = useDesk();
  if (type in CONTROLS) return null;
  if (type === 'users_select') {
    return workspace.users
      .filter((user) => !user.is_bot)
      .map(({ id, name, real_name }) => ({ id, name: real_name || name }));
  }
  return channelsFor(workspace, as)
    .filter(({ is_im }) => !is_im || type === 'conversations_select')
    .map(({ id, name, is_im }) => ({ id, name: is_im ? `@${name}` : `#${name}` }));
}
