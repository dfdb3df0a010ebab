import type { Gap, View } from '../../telemetry/view.ts';
import { partOf } from '../neighborhood.ts';

const MOST = 3;

/** What could not be read, in a few sentences; empty if everything could. */
export function sentencesOn(gaps: readonly Gap[]): string {
  // What an account may not list of a cluster is a choice, and the log has it.
  const reasons = [...new Set(gaps.filter(({ what }) => what !== 'state').map(({ reason }) => reason))];
  const more = reasons.length > MOST ? ` ${reasons.length - MOST} more such problems are in the log.` : '';
  return reasons.slice(0, MOST).join(' ') + more;
}

/** `Not everything could be checked: …`; empty if everything could. */
export function uncheckedSentence({ gaps }: View): string {
  const missing = sentencesOn(gaps);
  return missing === '' ? '' : `Not everything could be checked: ${missing}`;
}

/** ` I looked at 45 of 1,000 services: …`; empty if all were. */
export function lookedAtSentence({ snapshot: { looked } }: View): string {
  return looked == null
    ? ''
    : ` I looked at ${partOf(looked)}: its neighbors, and those furthest from their usual range.`;
}

/** `all 12 services`. */
export function allOf(services: number): string {
  return services === 1 ? 'the only service' : `all ${services} services`;
}
