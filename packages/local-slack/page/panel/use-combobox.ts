import { type KeyboardEvent, useState } from 'react';
import { matching } from '../model/panel.ts';

interface Option {
  id: string;
  name: string;
}

/** A list that opens under a field, and gets shorter while one types. */
export interface ComboboxState<T extends Option> {
  /** `null` while the list is closed. */
  typed: string | null;
  shown: readonly T[];
  /** The marked one. */
  marked: T | undefined;
  open(): void;
  type(typed: string): void;
  choose(option: T | undefined): void;
  close(): void;
  onKeyDown(key: KeyboardEvent): void;
}

export function useCombobox<T extends Option>(
  options: readonly T[],
  value: string,
  onChoose: (id: string) => void,
): ComboboxState<T> {
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const shown = matching(options, typed ?? '');
  const marked = shown[at];
  const chosenAt = options.findIndex(({ id }) => id === value);

  const open = () => {
    if (typed !== null) return;
    setTyped('');
    setAt(Math.max(chosenAt, 0));
  };
  const close = () => setTyped(null);
  const choose = (option: T | undefined) => {
    if (option) onChoose(option.id);
    close();
  };
  const step = (by: number) => {
    if (typed === null) open();
    else setAt((at + by + shown.length) % Math.max(shown.length, 1));
  };
  const onKeyDown = (key: KeyboardEvent) => {
    const isOpen = typed !== null;
    if (key.key === 'ArrowDown') step(1);
    else if (key.key === 'ArrowUp') step(-1);
    else if (key.key === 'Enter' && isOpen) choose(marked);
    else if (key.key === 'Escape' && isOpen) close();
    else return;
    key.preventDefault();
    // The list took the key for itself: Escape does not close the panel too.
    key.stopPropagation();
  };
  return {
    typed,
    shown,
    marked,
    open,
    type: (now) => {
      setTyped(now);
      setAt(0);
    },
    choose,
    close,
    onKeyDown,
  };
}
