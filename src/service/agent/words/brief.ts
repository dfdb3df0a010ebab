import { measured, timeOfDay } from '../../investigation/format.ts';
import type { Brief } from '../tools/brief.ts';
import { untilInWords } from './course.ts';

/** Where things stand, for somebody who was away. */
export function briefInWords(all: readonly Brief[], now: number): string {
  if (all.length === 0) return 'No issue is open.';
  const head = all.length === 1 ? [] : [`**${all.length} issues are open:**`];
  return [...head, ...all.map((one) => standing(one, now))].join('\n\n');
}

function standing(brief: Brief, now: number): string {
  const { number, title, severity, state, onset, cause, confidence, levels, changes, next, where } = brief;
  return [
    `**#${number} ${title}** (${severity}${where === null ? '' : `, ${where}`}) since ${timeOfDay(onset)} (${untilInWords({ state, onset, now })}).`,
    cause === null
      ? brief.status === 'investigating'
        ? 'It is still being investigated.'
        : 'No cause was found.'
      : `Most likely cause${confidence === null ? '' : ` (confidence ${confidence})`}: ${cause}`,
    ...levels.map(
      ({ service, label, now: level, usual, ...scale }) =>
        `- ${service} ${label} is ${measured(level, scale)}${usual === null ? '' : `, normally ${measured(usual, scale)}`}`,
    ),
    ...(changes.length === 0
      ? []
      : [
          `Changed since it began: ${changes.map((one) => `${one.title} at ${timeOfDay(one.at)}`).join('; ')}.`,
        ]),
    ...(next === null || state.is === 'over' ? [] : [`Do first: ${next.title}.`]),
  ].join('\n');
}

/** For a status page: what people outside notice, and nothing of the inside. */
export function forCustomers([first]: readonly Brief[]): string {
  if (first === undefined) return 'No issue is open, so there is nothing to announce.';
  const { subject, where, onset, state, levels } = first;
  const kinds = new Set(levels.map(({ label }) => (/latency|duration|time/u.test(label) ? 'slow' : 'fail')));
  const what =
    kinds.size === 2
      ? 'have been failing or taking longer than usual'
      : kinds.has('slow')
        ? 'have been taking longer than usual'
        : 'have been failing';
  const scope = `${subject}${where === null ? '' : ` (${where})`}`;
  const text =
    state.is === 'over' || state.is === 'normal'
      ? `Between ${timeOfDay(onset)} and ${state.is === 'over' ? timeOfDay(state.since) : 'now'}, some requests to ${scope} did not work as usual. Things are back to normal.`
      : `Since ${timeOfDay(onset)}, some requests to ${scope} ${what}. We are working on it and will post an update when that changes.`;
  return `A draft to check before you post it:\n\n> ${text}`;
}
