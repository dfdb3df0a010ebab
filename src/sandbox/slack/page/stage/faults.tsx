import type { PageFaults } from '../../page-stage.ts';
import { faultNames } from '../model/stage.ts';
import { DeedButton } from './deed-button.tsx';
import { AMOUNTS, LISTS, optionsOf, TOKENS } from './fault-options.ts';
import { ListField } from './list-field.tsx';
import { Picked } from './picked.tsx';
import { Said } from './said.tsx';
import { Switch } from './switch.tsx';
import { useDeeds } from './use-deeds.ts';
import { type FaultCalls, useFaults } from './use-faults.ts';

/** What goes wrong between the local Slack and the app. */
export function Faults({ known }: { known: PageFaults }) {
  const { faults, change, end } = useFaults(known);
  const deeds = useDeeds();
  const isNone = faultNames(faults).length === 0 && faults.methods.length === 0;
  const allOff = {
    label: 'All off',
    doing: 'Switching off…',
    done: 'Slack does what it should again.',
    call: end,
  };
  return (
    <fieldset className="faults" aria-label="Faults of Slack">
      {AMOUNTS.map(({ key, label }) => (
        <Choice
          key={key}
          label={label}
          options={optionsOf(key, faults)}
          value={String(faults[key])}
          onPick={(value) => change({ [key]: Number(value) })}
        />
      ))}
      <Choice
        label="The bot’s token"
        options={TOKENS}
        value={faults.token ?? ''}
        onPick={(value) => change({ token: value || null })}
      />
      <Switch
        label="Events come twice"
        isOn={faults.twins}
        deed={{ doing: 'Switching…', done: '', call: () => change({ twins: !faults.twins }) }}
      />
      {LISTS.map(({ key, ...words }) => (
        <ListField key={key} {...words} value={faults[key]} onChange={(value) => change({ [key]: value })} />
      ))}
      <div className="deeds">
        <DeedButton deeds={deeds} deed={allOff} refusal={isNone ? 'Nothing is switched on.' : null} />
      </div>
      <Said said={deeds.said} />
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  options: { id: string; name: string; isRefused?: boolean }[];
  value: string;
  onPick: (value: string) => ReturnType<FaultCalls['change']>;
}

function Choice({ label, options, value, onPick }: ChoiceProps) {
  const deeds = useDeeds();
  // A value that was set by another than the page is offered too.
  const offered = options.some(({ id }) => id === value) ? options : [...options, { id: value, name: value }];
  return (
    <div className="fault">
      <Picked
        label={label}
        options={offered}
        value={value}
        isBusy={deeds.underWay.size > 0}
        onPick={(picked) => deeds.run({ label: picked, doing: '', done: '', call: () => onPick(picked) })}
      />
      <Said said={deeds.said} />
    </div>
  );
}
