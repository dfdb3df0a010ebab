import type { PageFaults } from '../../src/page-panel.ts';
import { faultNames } from '../model/panel.ts';
import { ActionButton, ActionResult, Switch, usePanelActions } from './actions.tsx';
import { AMOUNTS, LISTS, optionsOf, TOKENS } from './fault-options.ts';
import { ListField, SelectField } from './fields.tsx';
import { type FaultCalls, useFaults } from './use-faults.ts';

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
