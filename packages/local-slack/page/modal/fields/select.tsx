import { ariaOf, type FieldLabels } from '../form.ts';
import type { ElementState, OneOfElement } from '../input-schema.ts';
import { optionsOf } from '../values.ts';

interface Props {
  element: OneOfElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  onChoose: (state: ElementState) => void;
}

/** A list to choose one option of; an optional one can be emptied again. */
export function Select({ element, state, labels, onChoose }: Props) {
  const { type, placeholder, options, option_groups } = element;
  const chosen = state && 'selected_option' in state ? state.selected_option?.value : undefined;
  const choose = (value: string) => {
    const option = optionsOf(element).find((candidate) => candidate.value === value);
    onChoose({ type, selected_option: option ?? null });
  };
  const entries = (list: typeof options) =>
    list.map(({ value, text }) => (
      <option key={value} value={value}>
        {text.text}
      </option>
    ));
  return (
    <select
      id={labels.id}
      className={chosen === undefined ? 'control empty' : 'control'}
      value={chosen ?? ''}
      {...ariaOf(labels)}
      onChange={(change) => choose(change.target.value)}
    >
      <option value="" disabled={!labels.isOptional}>
        {placeholder?.text ?? 'Choose an option'}
      </option>
      {entries(options)}
      {option_groups.map(({ label, options: grouped }) => (
        <optgroup key={label.text} label={label.text}>
          {entries(grouped)}
        </optgroup>
      ))}
    </select>
  );
}
