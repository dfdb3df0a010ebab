import type { Requested } from '../../src/bot/filing/on-request.ts';

/** The issue of a request that was not refused. */
export function issueOf(requested: Requested): string {
  if (requested.became === 'refused') throw new Error('the person has reached their limit');
  return requested.issueId;
}
