import type { FilingOutcome } from '../../src/bot/filing/on-request.ts';

/** The issue of a request that was not refused. */
export function issueOf(requested: FilingOutcome): string {
  if (requested.became === 'refused') throw new Error('the person has reached their limit');
  return requested.issueId;
}
