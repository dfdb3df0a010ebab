import { cutAtWord, displayName, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { literal, quoted, userMention } from '../escape.ts';
import { link } from '../links.ts';
import type { CardView, ProgressView, Relations } from '../views.ts';
import { count, severityName, severityWords } from '../words.ts';
import { noteLines } from './notes.ts';
import { ownerLine } from './owners.ts';
import { recordLines } from './record.ts';
import { ticketLine } from './ticket.ts';

/** After this many milliseconds an investigation is said to take long. */
const SLOW_INVESTIGATION_MS = 30 * 60_000;
const MAX_VALUE = 200;
const MAX_CAUSE = 300;
const MAX_RUNBOOK = 80;

/**
 * The small print of a card, in lines of safe mrkdwn: what happened to the issue since it was filed.
 * @param now milliseconds since the epoch
 */
export function historyLines(view: CardView, now: number): string[] {
  const lines = [
    view.status === 'investigating' && now - view.statusSince > SLOW_INVESTIGATION_MS
      ? 'Taking longer than 30 minutes. Results will still be posted here.'
      : null,
    firedLine('Fired again', view.repeats, view.lastRepeatAt),
    view.status === 'muted' ? muteLine(view) : null,
    view.flapping ? flappingLine(view.flapping) : null,
    recoveredLine(view),
    noteLine(view.note),
    progressLine(view.progress),
    actionLine(view.lastAction),
    ...relationLines(view.relations),
    earlierLine(view.earlier),
    ...(view.owners ?? []).map(ownerLine),
    runbookLine(view.runbooks ?? []),
    view.ticket ? ticketLine(view.ticket) : null,
    view.seen ?? null,
    ...(view.record ? recordLines(view.record) : []),
    ...noteLines(view.notes ?? []),
    toolsLine(view),
    originLine(view),
  ];
  return lines.filter((line) => line !== null);
}

/** `Fired again 3 times · last …`; `null` for none. */
export function firedLine(words: string, times: number, lastAt: number | null): string | null {
  if (times <= 0) return null;
  return `${words} ${count(times, 'time')}${lastAt === null ? '' : ` · last ${date(lastAt)}`}`;
}

/** An incident is over when the last of its alerts is, which is said above. */
export function recoveredLine({ recoveredAt, incident }: CardView): string | null {
  if (recoveredAt === null || incident?.members.some(({ isFiring }) => isFiring)) return null;
  return `The alert recovered · ${date(recoveredAt)}`;
}

/** `Flapping: fired 4 times in 30 minutes, each time: full pool of ledger`. */
function flappingLine({ times, minutes, causes }: NonNullable<CardView['flapping']>): string {
  const fired = `Flapping: fired ${count(times, 'time')} in ${count(minutes, 'minute')}, so not every firing is investigated`;
  const [first, ...others] = causes.map((cause) => value(cause));
  if (first === undefined) return fired;
  return others.length === 0
    ? `${fired}. What they have in common: ${first}`
    : `${fired}. Found: ${[first, ...others].join('; ')}`;
}

/** `Runbook: Payments refuses cards`, each a link; `null` for none. */
function runbookLine(runbooks: NonNullable<CardView['runbooks']>): string | null {
  const pages = runbooks.map(({ title, url }) =>
    link(url, title === null ? url : cutAtWord(title, MAX_RUNBOOK)),
  );
  return pages.length === 0 ? null : `Runbook: ${pages.join(' · ')}`;
}

/** Progress of the remediation, once somebody has started; `null` before. */
function progressLine(progress: CardView['progress']): string | null {
  if (progress === null || progress.last === null) return null;
  const { by, at } = progress.last;
  return `${progressWords(progress)} · last by ${userMention(by)} · ${date(at)}`;
}

/** `5 steps, 3 required`, `2 of 5 steps done, 1 required left`, `all 5 steps done`. */
export function progressWords({ done, total, required, requiredDone }: ProgressView): string {
  if (done >= total) return total === 1 ? '1 of 1 step done' : `all ${total} steps done`;
  if (done === 0) return stepsWords(total, required);
  const all = `${done} of ${count(total, 'step')} done`;
  if (required === 0) return all;
  const left = required - requiredDone;
  return left === 0 ? `${all}, all required ones` : `${all}, ${left} required left`;
}

/** `5 steps, 3 required`, `3 steps, all required`. */
export function stepsWords(total: number, required: number): string {
  if (required === 0 || total === 1) return count(total, 'step');
  return `${total} steps, ${required === total ? 'all' : required} required`;
}

export function muteLine({
  mutedUntil,
  hidden,
}: {
  mutedUntil: number | null;
  hidden: number;
}): string | null {
  const parts = [
    ...(mutedUntil === null ? [] : [`Muted until ${date(mutedUntil)}`]),
    ...(hidden > 0 ? [`${count(hidden, 'repeat')} hidden`] : []),
  ];
  return parts.length === 0 ? null : parts.join(' · ');
}

export function noteLine(note: CardView['note']): string | null {
  return note === null ? null : `${value(note.text)} · ${date(note.at)}`;
}

export function actionLine(action: CardView['lastAction']): string | null {
  return action === null ? null : `${userMention(action.userId)} ${value(action.what)} · ${date(action.at)}`;
}

export function severityLine(severity: string, raisedFrom: string | null): string {
  const words = severityWords(short(severity));
  return raisedFrom === null ? words : `${words} (raised from ${severityName(short(raisedFrom))})`;
}

/** One line of untrusted text, cut and escaped. */
export function value(text: string): string {
  return literal(short(text)) || 'not stated';
}

export function short(text: string): string {
  return cutAtWord(oneLine(text), MAX_VALUE);
}

function relationLines({ attachedTo, attached, apartFrom, apart }: Relations): (string | null)[] {
  return [
    attachedTo === null ? null : `Attached to #${attachedTo}; alerts count there`,
    attached.length === 0 ? null : `Attached to this: ${numbers(attached)}`,
    apartFrom === null ? null : `Split off from #${apartFrom}`,
    apart.length === 0 ? null : `Split off from this: ${numbers(apart)}`,
  ];
}

function numbers(list: IssueNumber[]): string {
  const shown = list.slice(0, 10).map((number) => `#${number}`);
  return list.length > 10 ? `${shown.join(', ')} and ${list.length - 10} more` : shown.join(', ');
}

function earlierLine(earlier: CardView['earlier']): string | null {
  if (earlier === null) return null;
  const cause = quoted(earlier.rootCause ?? '', MAX_CAUSE);
  const since = date(earlier.resolvedAt);
  return `Fired before: #${earlier.number}, resolved ${since}${cause === '' ? '' : `: ${cause}`}`;
}

/** The alert as its tool words it, with all its labels, where the heading says less. */
function toolsLine({ title, service }: CardView): string | null {
  return displayName({ title, service }) === title ? null : value(title);
}

function originLine(view: CardView): string | null {
  const parts = [
    view.source === null ? null : `From ${value(view.source)}`,
    view.requestedBy === null ? null : `Filed by ${userMention(view.requestedBy)}`,
    view.alertUrl === null ? null : link(view.alertUrl, 'Open the alert'),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' · ');
}
