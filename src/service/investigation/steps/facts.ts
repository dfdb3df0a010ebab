import { survey } from '../anomalies.ts';
import type { Case } from '../case.ts';
import { failingLines } from '../failing-lines.ts';
import { presentOf } from '../place/departures.ts';

/** What departs: over the last hours, at this moment, and in the lines of the service. */
export function facts(c: Case): Case {
  const { view, subject } = c;
  const { recent = [], series, trigger } = view.snapshot;
  const about = subject.named ?? subject.unknown;
  return {
    ...c,
    survey: survey(view),
    present: presentOf(recent, series, trigger),
    lines: about === null ? [] : failingLines(view, about),
  };
}
