import { useRef, useState } from 'react';
import type { PageFaults } from '../../page-stage.ts';
import type { Outcome } from '../model/schema.ts';
import { stageApi } from '../stage-api.ts';

/** The faults as the person wants them, and how to change them. */
export interface FaultCalls {
  faults: PageFaults;
  change(change: Partial<PageFaults>): Promise<Outcome>;
  /** All of them. */
  end(): Promise<Outcome>;
}

/**
 * All of the faults are told each time, so one change follows on the other: what is changed while a call is under way
 * holds that one's change, too, and is told after it.
 */
export function useFaults(known: PageFaults): FaultCalls {
  const [wanted, setWanted] = useState<PageFaults | null>(null);
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const faults = wanted ?? known;
  const tell = (all: Partial<PageFaults>): Promise<Outcome> => {
    const told = line.current.then(() => stageApi.faults(all));
    line.current = told;
    return told;
  };
  const change = async (part: Partial<PageFaults>) => {
    const next = { ...faults, ...part };
    setWanted(next);
    const outcome = await tell(next);
    // A later change is still on its way: it says what is wanted.
    setWanted((now) => (now === next ? null : now));
    return outcome;
  };
  const end = () => {
    setWanted(null);
    return tell({});
  };
  return { faults, change, end };
}
