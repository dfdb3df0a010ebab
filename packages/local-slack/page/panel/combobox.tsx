import { type KeyboardEvent, useId, useState } from 'react';
import { matching } from '../model/panel.ts';

interface ComboboxProps {
  label: string;
  options: readonly { id: string; name: string }[];
  /** Id of what is chosen. */
  value: string;
  onChoose: (id: string) => void;
}

/** A long list that is filtered by typing. */
export function Combobox({ label, options, value, onChoose }: ComboboxProps) {
  const id = useId();
  const { typed, shown, marked, open, type, choose, close, onKeyDown } = useCombobox(
    options,
    value,
    onChoose,
  );
  const isOpen = typed !== null;
  const chosen = options.find((option) => option.id === value)?.name ?? '';
  return (
    <div className="panel-field combobox">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="control"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && marked ? `${id}-${marked.id}` : undefined}
        placeholder={isOpen ? chosen : undefined}
        value={typed ?? chosen}
        onClick={open}
        // Typing then replaces the current name.
        onFocus={(focus) => focus.currentTarget.select()}
        onChange={(change) => type(change.target.value)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} className="combobox-list" hidden={!isOpen}>
        {isOpen &&
          shown.map((option) => (
            <div
              key={option.id}
              id={`${id}-${option.id}`}
              ref={option === marked ? (item) => item?.scrollIntoView({ block: 'nearest' }) : undefined}
              role="option"
              tabIndex={-1}
              aria-selected={option === marked}
              // Not click: the field would lose the focus, and the list close, before it.
              onPointerDown={(press) => {
                press.preventDefault();
                choose(option);
              }}
            >
              {option.name}
            </div>
          ))}
        {isOpen && shown.length === 0 && <p className="empty-choice">No match.</p>}
      </div>
    </div>
  );
}

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

function useCombobox<T extends Option>(
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
