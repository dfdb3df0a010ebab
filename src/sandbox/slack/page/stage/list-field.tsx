import { useState } from 'react';
import type { Outcome } from '../model/schema.ts';
import { listed } from '../model/stage.ts';
import { Said } from './said.tsx';
import { useDeeds } from './use-deeds.ts';

interface Props {
  label: string;
  hint: string;
  value: readonly string[];
  onChange: (value: string[]) => Promise<Outcome>;
}

/** A list that is typed, and told when Enter is pressed or the field is left. What was refused stays, to be mended. */
export function ListField({ label, hint, value, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const deeds = useDeeds();
  const shown = value.join(', ');
  const tell = () => {
    if (typed === null) return;
    const next = listed(typed);
    if (next.join(', ') === shown) return setTyped(null);
    const call = async () => {
      const outcome = await onChange(next);
      if (outcome.ok) setTyped((now) => (now === typed ? null : now));
      return outcome;
    };
    deeds.run({ label, doing: '', done: '', call });
  };
  return (
    <div className="fault">
      <label className="stage-field">
        <span>{label}</span>
        <input
          className="control"
          autoComplete="off"
          spellCheck={false}
          placeholder={hint}
          value={typed ?? shown}
          aria-busy={deeds.underWay.size > 0}
          onChange={(change) => setTyped(change.target.value)}
          onKeyDown={(key) => key.key === 'Enter' && tell()}
          onBlur={tell}
        />
      </label>
      <Said said={deeds.said} />
    </div>
  );
}
