import { useContext, useId } from 'react';
import { EmojiText } from '../blocks/emoji-text.tsx';
import { Field } from './field.tsx';
import { FormContext } from './form.ts';
import { type InputBlock as Block, inputElement } from './input-schema.ts';

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
