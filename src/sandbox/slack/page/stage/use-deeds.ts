import { useState } from 'react';
import type { Outcome } from '../model/schema.ts';

/** Something to press: what it is called, before and while it is done, and what to say when it was. */
export interface Deed {
  label: string;
  doing: string;
  /** Empty where it can be seen anyway. */
  done: string;
  call: () => Promise<Outcome>;
}

/** What is done by the buttons that stand together. */
export interface Deeds {
  /** The labels of those that are not answered yet. */
  underWay: ReadonlySet<string>;
  /** How the last one ended; `null` before, and while the next one is under way. */
  said: { isOk: boolean; text: string } | null;
  /** One that is under way is not begun again. */
  run(deed: Deed): void;
}

export function useDeeds(): Deeds {
  const [underWay, setUnderWay] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState<Deeds['said']>(null);
  const run = async ({ label, done, call }: Deed) => {
    setSaid(null);
    setUnderWay((labels) => new Set(labels).add(label));
    const outcome = await call();
    setUnderWay((labels) => new Set([...labels].filter((other) => other !== label)));
    setSaid(outcome.ok ? { isOk: true, text: done } : { isOk: false, text: outcome.error });
  };
  return {
    underWay,
    said,
    run: (deed) => {
      if (!underWay.has(deed.label)) void run(deed);
    },
  };
}
