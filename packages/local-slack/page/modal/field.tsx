import { useContext, useId, useState } from 'react';
import { ConfirmDialog, EmojiText } from '../blocks/elements.tsx';
import { Choices, ExternalSelect, MultiSelect, Picker, Select, TextInput } from './fields.tsx';
import { type FieldLabels, type Form, FormContext } from './form.ts';
import {
  type InputBlock as Block,
  type ElementState,
  type InputElement,
  inputElement,
} from './input-schema.ts';

interface FieldProps {
  form: Form;
  blockId: string;
  element: InputElement;
  /** The app is told of each change, not only when the form is sent. */
  dispatches: boolean;
  labels: FieldLabels;
}

/** The input of an element's kind, holding what the form says. */
function Field({ form, blockId, element, dispatches, labels }: FieldProps) {
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

/** A field of a modal: its label, its input, what is wrong with it, and its hint. */
export function InputBlock({ block }: { block: Block }) {
  const form = useContext(FormContext);
  const id = useId();
  const element = inputElement.safeParse(block.element);
  if (!form || !element.success) {
    return <p className="unknown-block">This page cannot draw the input “{block.label.text}”.</p>;
  }
  const { label, hint, optional, dispatch_action, block_id } = block;
  const error = form.errors[block_id];
  const described = [error !== undefined && `${id}-error`, hint && `${id}-hint`].filter(Boolean);
  const labels = {
    id,
    labelledBy: `${id}-label`,
    label: undefined,
    describedBy: described.join(' ') || undefined,
    isInvalid: error !== undefined,
    isOptional: optional,
  };
  return (
    <div className={error === undefined ? 'input-block' : 'input-block invalid'}>
      <label id={`${id}-label`} htmlFor={id}>
        <EmojiText text={label.text} />
        {optional && <span className="optional"> (optional)</span>}
      </label>
      <div className="control-frame">
        <Field
          form={form}
          blockId={block_id}
          element={element.data}
          dispatches={dispatch_action}
          labels={labels}
        />
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          <EmojiText text={hint.text} />
        </p>
      )}
    </div>
  );
}

/** An input beside a section or among actions: it has no label of its own, and tells the app of each choice. */
export function LooseInput({
  form,
  element,
  blockId,
}: {
  form: Form;
  element: InputElement;
  blockId: string;
}) {
  const id = useId();
  const [asking, setAsking] = useState<ElementState | null>(null);
  const confirm = 'confirm' in element ? element.confirm : undefined;
  const { action_id } = element;
  // What is to be confirmed is neither shown nor told before that.
  const shown: Form = confirm
    ? { ...form, change: () => {}, dispatch: (_block, _action, state) => setAsking(state) }
    : form;
  const onConfirm = (state: ElementState) => {
    setAsking(null);
    form.change(blockId, action_id, state);
    form.dispatch(blockId, action_id, state);
  };
  const labels = {
    id,
    labelledBy: undefined,
    label: element.placeholder?.text ?? 'Choose',
    describedBy: undefined,
    isInvalid: false,
    isOptional: false,
  };
  return (
    <div className="loose-input">
      <Field form={shown} blockId={blockId} element={element} dispatches labels={labels} />
      {asking !== null && confirm && (
        <ConfirmDialog
          confirm={confirm}
          onConfirm={() => onConfirm(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </div>
  );
}
