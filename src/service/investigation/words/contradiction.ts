import type { StoredFindings } from '../../../contract/schema.ts';

const MOST = 2;

/**
 * That a later look says something else than the one before it, and what is new or gone since; empty if it does not.
 *
 * @param version the number of the one before
 */
export function contradiction(before: StoredFindings, now: StoredFindings, version: number): string {
  const then = causeOf(before);
  if (then === null || then === causeOf(now)) return '';
  const added = missingFrom(before, now);
  const gone = missingFrom(now, before);
  const why = [
    ...(added.length > 0 ? [` New since then: ${added.join(' ')}`] : []),
    ...(gone.length > 0 ? [` No longer so: ${gone.join(' ')}`] : []),
  ];
  const differs = causeOf(now) === null ? 'That does not show any more.' : 'This look says something else.';
  return `Version ${version} said: ${then}. ${differs}${why.join('')} `;
}

/** The headline of the cause; `null` if none was found. */
function causeOf({ rootCause, causalTreeV2 }: StoredFindings): string | null {
  if (rootCause.rootCauseSummary === undefined) return null;
  return causalTreeV2.nodes.find(({ nodeType }) => nodeType === 'cause')?.title ?? null;
}

/** What is wrong according to some findings, and not according to others. */
function missingFrom(others: StoredFindings, { facts }: StoredFindings): string[] {
  const known = new Set(others.facts.filter(({ until }) => until === undefined).map(({ key }) => key));
  return facts
    .filter(({ key, until }) => until === undefined && !known.has(key))
    .map(({ sentence }) => sentence)
    .slice(0, MOST);
}
