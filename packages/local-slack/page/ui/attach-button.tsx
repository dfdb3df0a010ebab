import { type ChangeEvent, useRef } from 'react';
import { Icon } from './icons.tsx';

/** Lets the person choose files. */
export function AttachButton({ onChoose }: { onChoose: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onChoose([...(target.files ?? [])]);
    // Else the same file could not be chosen again after it was removed.
    target.value = '';
  };
  return (
    <>
      <button
        type="button"
        className="tool attach"
        aria-label="Attach files"
        title="Attach files"
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input ref={input} type="file" multiple hidden onChange={onChange} />
    </>
  );
}
