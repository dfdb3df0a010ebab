import type { ReactNode } from 'react';

interface Props {
  label: string;
  options: readonly { id: string; name: string; isRefused?: boolean }[];
  value: string;
  isBusy?: boolean;
  onPick: (id: string) => void;
}

/** A short list to pick from, under its label. */
export function Picked({ label, options, value, isBusy, onPick }: Props): ReactNode {
  return (
    <label className="stage-field">
      <span>{label}</span>
      <select
        className="control"
        value={value}
        aria-busy={isBusy}
        onChange={(change) => onPick(change.target.value)}
      >
        {options.map(({ id, name, isRefused }) => (
          <option key={id} value={id} disabled={isRefused}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
