import { Said } from './said.tsx';
import { type Deed, useDeeds } from './use-deeds.ts';

interface Props {
  label: string;
  isOn: boolean;
  /** What pressing it does now. */
  deed: Omit<Deed, 'label'>;
}

/** A switch with its label. */
export function Switch({ label, isOn, deed }: Props) {
  const deeds = useDeeds();
  const isBusy = deeds.underWay.has(label);
  return (
    <>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={isOn}
        aria-busy={isBusy}
        aria-disabled={isBusy}
        onClick={() => deeds.run({ label, ...deed })}
      >
        <span>{isBusy ? deed.doing : label}</span>
        <i />
      </button>
      <Said said={deeds.said} />
    </>
  );
}
