import { bestNamed } from '../investigation/match.ts';
import type { Tools, Turn } from './types.ts';

/** The service that a turn is about, taken from its issue if necessary; `null` if there is none. */
export function subjectOf(turn: Turn, { view, issue }: Tools): string | null {
  const first = turn.services[0];
  if (first !== undefined) return first;
  if (issue === null) return null;
  const services = view.services().map(({ name }) => name);
  return bestNamed([issue.title, issue.rootCauseSummary], services);
}
