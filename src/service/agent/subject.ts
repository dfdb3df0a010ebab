import { bestNamed } from '../investigation/match.ts';
import type { IssueOverview, Tools, Turn } from './types.ts';

/** The service that a turn is about, if need be from its issue; `null` where it is about none. */
export function subjectOf(turn: Turn, { view, issues }: Tools): string | null {
  const first = turn.services[0];
  if (first !== undefined) return first;
  const brief = issueOf(turn, issues);
  if (!brief) return null;
  const services = view.services().map(({ name }) => name);
  return bestNamed([brief.title, brief.rootCauseSummary], services);
}

/** The issue that a turn is about. */
export function issueOf({ number }: Turn, issues: Tools['issues']): IssueOverview | null {
  return number === null ? null : issues.byNumber(number);
}
