import { count } from '../words.ts';
import { alertsOf, type HeldProblemView, messagesOf, serviceOf, short } from './held-view.ts';

const MAX_GROUPS = 12;
const MAX_NAME = 60;

/** A line for each service and tool, those with the most alerts first; the rest is only counted. */
export function heldGroups(problems: readonly HeldProblemView[]): string[] {
  const groups = [...Map.groupBy(problems, nameOf)]
    .map(([name, members]) => ({ name, members }))
    .toSorted((a, b) => messagesOf(b.members) - messagesOf(a.members) || (a.name < b.name ? -1 : 1));
  const lines = groups.slice(0, MAX_GROUPS).map(({ name, members }) => `• ${name}: ${alertsOf(members)}`);
  const others = groups.slice(MAX_GROUPS).flatMap(({ members }) => members);
  if (others.length === 0) return lines;
  return [...lines, `… and ${count(groups.length - MAX_GROUPS, 'more group')} with ${alertsOf(others)}`];
}

function nameOf(problem: HeldProblemView): string {
  const name = short(serviceOf(problem), MAX_NAME).replaceAll('*', '\u2217');
  const from = short(problem.tool, MAX_NAME);
  return `${name === '' ? '_no service_' : `*${name}*`}${from === '' ? '' : ` · ${from}`}`;
}
