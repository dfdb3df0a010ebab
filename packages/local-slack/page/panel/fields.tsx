import { useState } from 'react';
import type { PageOutcome } from '../../src/page-api.ts';
import { listed } from '../model/panel.ts';
import { ActionResult, usePanelActions } from './actions.tsx';

interface SelectProps {
  label: string;
  options: readonly { id: string; name: string; isDisabled?: boolean }[];
  value: string;
  isBusy?: boolean;
  onSelect: (id: string) => void;
}

/** A labelled drop-down. */
export function SelectField({ label, options, value, isBusy, onSelect }: SelectProps) {
  return (
    <label className="panel-field">
      <span>{label}</span>
      <select
        className="control"
        value={value}
        aria-busy={isBusy}
        onChange={(change) => onSelect(change.target.value)}
      >
        {options.map(({ id, name, isDisabled }) => (
          <option key={id} value={id} disabled={isDisabled}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ListProps {
  label: string;
  hint: string;
  value: readonly string[];
  onChange: (value: string[]) => Promise<PageOutcome>;
}

/** A list typed as text, sent on Enter or when the field loses focus. Rejected input stays, so that it can be corrected. */
export function ListField({ label, hint, value, onChange }: ListProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const actions = usePanelActions();
  const shown = value.join(', ');
  const send = () => {
    if (typed === null) return;
    const next = listed(typed);
    if (next.join(', ') === shown) return setTyped(null);
    const call = async () => {
      const outcome = await onChange(next);
      if (outcome.ok) setTyped((now) => (now === typed ? null : now));
      return outcome;
    };
    actions.run({ label, busyLabel: '', doneMessage: '', call });
  };
  return (
    <div className="fault">
      <label className="panel-field">
        <span>{label}</span>
        <input
          className="control"
          autoComplete="off"
          spellCheck={false}
          placeholder={hint}
          value={typed ?? shown}
          aria-busy={actions.pending.size > 0}
          onChange={(change) => setTyped(change.target.value)}
          onKeyDown={(key) => key.key === 'Enter' && send()}
          onBlur={send}
        />
      </label>
      <ActionResult result={actions.result} />
    </div>
  );
}
