import { useEffect, useRef, useState } from 'react';
import type { PageOutcome } from '../../src/page-api.ts';
import type { PageFaults } from '../../src/page-panel.ts';
import { callPanel } from '../api.ts';
import { AMOUNTS, faultNames, LISTS, optionsOf, TOKENS } from '../model/panel.ts';
import { ActionButton, ActionResult, ListField, SelectField, Switch, usePanelActions } from './fields.tsx';

/** Switches the faults between the local Slack and the app. */
export function Faults({ known }: { known: PageFaults }) {
  const { faults, change, clear } = useFaults(known);
  const actions = usePanelActions();
  const isNone = faultNames(faults).length === 0 && faults.methods.length === 0;
  const allOff = {
    label: 'All off',
    busyLabel: 'Switching off…',
    doneMessage: 'All faults are off.',
    call: clear,
  };
  return (
    <fieldset className="faults" aria-label="Slack faults">
      {AMOUNTS.map(({ key, label }) => (
        <Choice
          key={key}
          label={label}
          options={optionsOf(key, faults)}
          value={String(faults[key])}
          onSelect={(value) => change({ [key]: Number(value) })}
        />
      ))}
      <Choice
        label="The bot’s token"
        options={TOKENS}
        value={faults.token ?? ''}
        onSelect={(value) => change({ token: value || null })}
      />
      <Switch
        label="Events delivered twice"
        isOn={faults.twins}
        action={{ busyLabel: 'Switching…', doneMessage: '', call: () => change({ twins: !faults.twins }) }}
      />
      {LISTS.map(({ key, ...words }) => (
        <ListField key={key} {...words} value={faults[key]} onChange={(value) => change({ [key]: value })} />
      ))}
      <div className="panel-actions">
        <ActionButton
          actions={actions}
          action={allOff}
          disabledReason={isNone ? 'No faults are on.' : null}
        />
      </div>
      <ActionResult result={actions.result} />
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  options: { id: string; name: string; isDisabled?: boolean }[];
  value: string;
  onSelect: (value: string) => ReturnType<FaultCalls['change']>;
}

function Choice({ label, options, value, onSelect }: ChoiceProps) {
  const actions = usePanelActions();
  // Also offers a value that was set outside of the page.
  const offered = options.some(({ id }) => id === value) ? options : [...options, { id: value, name: value }];
  return (
    <div className="fault">
      <SelectField
        label={label}
        options={offered}
        value={value}
        isBusy={actions.pending.size > 0}
        onSelect={(picked) =>
          actions.run({ label: picked, busyLabel: '', doneMessage: '', call: () => onSelect(picked) })
        }
      />
      <ActionResult result={actions.result} />
    </div>
  );
}

/** The faults as the person wants them, and how to change them. */
export interface FaultCalls {
  faults: PageFaults;
  change(change: Partial<PageFaults>): Promise<PageOutcome>;
  /** All of them. */
  clear(): Promise<PageOutcome>;
}

/**
 * Every call sends all faults, so each change must include the ones before it. The wanted faults are kept in a ref, which
 * the next change reads even before a re-render, until the workspace reports the result of the last call.
 */
function useFaults(known: PageFaults): FaultCalls {
  const [wanted, setWanted] = useState<PageFaults | null>(null);
  const latest = useRef<PageFaults | null>(null);
  const reported = useRef(known);
  const calls = useRef<{ last: Promise<unknown>; underWay: number }>({
    last: Promise.resolve(),
    underWay: 0,
  });

  const want = (faults: PageFaults | null) => {
    latest.current = faults;
    setWanted(faults);
  };

  // A new report from the workspace replaces the wanted state, unless a call is still in progress.
  useEffect(() => {
    if (known === reported.current || calls.current.underWay > 0) return;
    reported.current = known;
    latest.current = null;
    setWanted(null);
  }, [known]);

  const tell = async (all: Partial<PageFaults>): Promise<PageOutcome> => {
    calls.current.underWay += 1;
    const told = calls.current.last.then(() => callPanel('faults', all));
    calls.current.last = told.catch(() => undefined);
    try {
      const outcome = await told;
      if (!outcome.ok) want(null);
      return outcome;
    } finally {
      calls.current.underWay -= 1;
    }
  };

  return {
    faults: wanted ?? known,
    change: (part) => {
      const next = { ...(latest.current ?? known), ...part };
      want(next);
      return tell(next);
    },
    clear: () => {
      want(null);
      return tell({});
    },
  };
}
