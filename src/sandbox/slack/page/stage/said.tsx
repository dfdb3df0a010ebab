import type { Deeds } from './use-deeds.ts';

/** How the last deed ended, beside what was pressed. It stands there empty before, so that it is read out. */
export function Said({ said }: Pick<Deeds, 'said'>) {
  return (
    <p className={said?.isOk === false ? 'said failure' : 'said'} role="status">
      {said?.text}
    </p>
  );
}
