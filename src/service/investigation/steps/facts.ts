import { survey } from '../anomalies.ts';
import type { Case } from '../case.ts';
import { presentOf } from '../place/departures.ts';

/** What departs: over the last hours, and at this moment. */
export function facts(c: Case): Case {
  const { recent = [], series, trigger } = c.view.snapshot;
  return { ...c, survey: survey(c.view), present: presentOf(recent, series, trigger) };
}
