import type { Deed, Deeds } from './use-deeds.ts';

interface Props {
  deed: Deed;
  deeds: Deeds;
  /** Set where there is another of the same label. */
  name?: string;
  /** Why it cannot be pressed now, as a sentence. */
  refusal?: string | null;
  style?: 'primary' | 'danger';
}

/** A button that says when it is under way. It keeps the focus also when it cannot be pressed, and says why. */
export function DeedButton({ deed, deeds, name, refusal = null, style }: Props) {
  const isBusy = deeds.underWay.has(deed.label);
  const isIdle = refusal === null && !isBusy;
  return (
    <button
      type="button"
      className={`button ${style ?? ''}`}
      aria-label={isBusy ? undefined : name}
      aria-busy={isBusy}
      aria-disabled={!isIdle}
      aria-description={refusal ?? undefined}
      title={refusal ?? undefined}
      onClick={() => isIdle && deeds.run(deed)}
    >
      {isBusy ? deed.doing : deed.label}
    </button>
  );
}
