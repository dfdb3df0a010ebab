import { useId, useState } from 'react';
import { ConfirmDialog } from '../blocks/confirm-dialog.tsx';
import { Field } from './field.tsx';
import type { Form } from './form.ts';
import type { ElementState, InputElement } from './input-schema.ts';

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
