import { useState } from 'react';
import type { PageShop } from '../../src/page-panel.ts';
import { clockTime, fullTime } from '../model/times.ts';
import { panelApi } from '../panel-api.ts';
import { ActionButton, ActionResult, usePanelActions } from './actions.tsx';
import { SelectField } from './fields.tsx';

/** Injects faults into the simulated shop, lists them, and repairs it. */
export function Shop({ faults, broken }: PageShop) {
  const [kind, setKind] = useState('');
  const [place, setPlace] = useState('');
  const actions = usePanelActions();
  const fault = faults.find((one) => one.kind === kind) ?? faults[0];
  const service = fault?.services.find((one) => one === place) ?? fault?.services[0];
  if (!fault || service === undefined) return null;
  const breakIt = {
    label: 'Break',
    busyLabel: 'Breaking…',
    doneMessage: '',
    call: () => panelApi.break({ fault: fault.kind, service }),
  };
  const repair = {
    label: 'Repair',
    busyLabel: 'Repairing…',
    doneMessage: 'Repaired.',
    call: () => panelApi.repair(),
  };
  return (
    <>
      <div className="panel-fields">
        <SelectField
          label="Fault"
          options={faults.map((one) => ({ id: one.kind, name: one.title }))}
          value={fault.kind}
          onSelect={setKind}
        />
        <SelectField
          label="Service"
          options={fault.services.map((one) => ({ id: one, name: one }))}
          value={service}
          onSelect={setPlace}
        />
      </div>
      <ul className="broken" aria-label="Broken now">
        {broken.length === 0 && <li>Nothing is broken.</li>}
        {broken.map(({ kind: what, service: where, since }) => (
          <li key={`${what}/${where}/${since}`}>
            <strong>{faults.find((one) => one.kind === what)?.title ?? what}</strong>
            {` at ${where} since `}
            <time title={fullTime(since)}>{clockTime(since)}</time>
          </li>
        ))}
      </ul>
      <div className="panel-actions">
        <ActionButton actions={actions} action={breakIt} style="danger" />
        <ActionButton
          actions={actions}
          action={repair}
          disabledReason={broken.length === 0 ? 'Nothing is broken.' : null}
        />
      </div>
      <ActionResult result={actions.result} />
    </>
  );
}
