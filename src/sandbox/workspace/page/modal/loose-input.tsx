import { useId } from 'react';
import { Field } from './field.tsx';
import type { Form } from './form.ts';
import type { InputElement } from './input-schema.ts';

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
      <Field form={form} blockId={blockId} element={element} dispatches labels={labels} />
    </div>
  );
}
