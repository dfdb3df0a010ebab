import { useId } from 'react';
import { useCombobox } from './use-combobox.ts';

interface Props {
  label: string;
  options: readonly { id: string; name: string }[];
  /** Id of what is chosen. */
  value: string;
  onChoose: (id: string) => void;
}

/** A long list that is filtered by typing. */
export function Combobox({ label, options, value, onChoose }: Props) {
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
