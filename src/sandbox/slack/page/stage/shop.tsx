import { useState } from 'react';
import type { PageShop } from '../../page-stage.ts';
import { clockTime, fullTime } from '../model/times.ts';
import { stageApi } from '../stage-api.ts';
import { DeedButton } from './deed-button.tsx';
import { Picked } from './picked.tsx';
import { Said } from './said.tsx';
import { useDeeds } from './use-deeds.ts';

/** Breaks the simulated shop, says what is broken, and mends it. */
export function Shop({ faults, broken }: PageShop) {
  const [kind, setKind] = useState('');
  const [place, setPlace] = useState('');
  const deeds = useDeeds();
  const fault = faults.find((one) => one.kind === kind) ?? faults[0];
  const service = fault?.services.find((one) => one === place) ?? fault?.services[0];
  if (!fault || service === undefined) return null;
  const breakIt = {
    label: 'Break',
    doing: 'Breaking…',
    done: '',
    call: () => stageApi.break({ fault: fault.kind, service }),
  };
  const mend = { label: 'Mend', doing: 'Mending…', done: 'Mended.', call: () => stageApi.mend() };
  return (
    <>
      <div className="stage-fields">
        <Picked
          label="What goes wrong"
          options={faults.map((one) => ({ id: one.kind, name: one.title }))}
          value={fault.kind}
          onPick={setKind}
        />
        <Picked
          label="Where"
          options={fault.services.map((one) => ({ id: one, name: one }))}
          value={service}
          onPick={setPlace}
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
      <div className="deeds">
        <DeedButton deeds={deeds} deed={breakIt} style="danger" />
        <DeedButton
          deeds={deeds}
          deed={mend}
          refusal={broken.length === 0 ? 'Nothing is broken that could be mended.' : null}
        />
      </div>
      <Said said={deeds.said} />
    </>
  );
}
