import { useEffect, useRef, useState } from 'react';
import type { PageOutcome } from '../../src/page-api.ts';
import type { PageFaults } from '../../src/page-panel.ts';
import { panelApi } from '../panel-api.ts';

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
export function useFaults(known: PageFaults): FaultCalls {
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
    const told = calls.current.last.then(() => panelApi.faults(all));
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
