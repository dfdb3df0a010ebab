import { Choices } from './fields/choices.tsx';
import { ExternalSelect } from './fields/external-select.tsx';
import { MultiSelect } from './fields/multi-select.tsx';
import { Picker } from './fields/picker.tsx';
import { Select } from './fields/select.tsx';
import { TextInput } from './fields/text-input.tsx';
import type { FieldLabels, Form } from './form.ts';
import type { ElementState, InputElement } from './input-schema.ts';

interface Props {
  form: Form;
  blockId: string;
  element: InputElement;
  /** The app is told of each change, not only when the form is sent. */
  dispatches: boolean;
  labels: FieldLabels;
}

/** The input of an element's kind, holding what the form says. */
export function Field({ form, blockId, element, dispatches, labels }: Props) {
  const { action_id } = element;
  const state = form.values[blockId]?.[action_id];
  const change = (next: ElementState) => form.change(blockId, action_id, next);
  const dispatch = (next: ElementState) => form.dispatch(blockId, action_id, next);
  const choose = (next: ElementState) => {
    change(next);
    if (dispatches) dispatch(next);
  };
  switch (element.type) {
    case 'static_select':
      return <Select element={element} state={state} labels={labels} onChoose={choose} />;
    case 'multi_static_select':
      return <MultiSelect element={element} state={state} labels={labels} onChoose={choose} />;
    case 'external_select':
    case 'multi_external_select':
      return (
        <ExternalSelect
          element={element}
          state={state}
          labels={labels}
          suggest={(typed) => form.suggest(blockId, action_id, typed)}
          onChoose={choose}
        />
      );
    case 'radio_buttons':
    case 'checkboxes':
      return <Choices element={element} state={state} labels={labels} onChoose={choose} />;
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
    case 'users_select':
    case 'channels_select':
    case 'conversations_select':
      return <Picker element={element} state={state} labels={labels} onChoose={choose} />;
    default:
      return (
        <TextInput
          element={element}
          state={state}
          labels={labels}
          dispatches={dispatches}
          onChange={change}
          onDispatch={dispatch}
        />
      );
  }
}
