import { createHash } from 'node:crypto';
import { cutAtWord, displayName, oneLine } from '../../lib/text.ts';
import { referenceOf } from '../filing/reference.ts';
import { causeOf } from '../issues/cause.ts';
import { checklistOf, stepName } from '../issues/checklist.ts';
import { issueNumber } from '../shared/issue-number.ts';
import { rootCauseLine } from '../shared/root-cause.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import type { TicketRow } from '../store/tickets.ts';
import type { Comment, TicketDraft } from './tracker.ts';

const MAX_TITLE = 200;
const MAX_CAUSE = 2_000;
const MAX_STEP = 300;
const MOST_STEPS = 40;

interface DraftOptions {
  store: Store;
  permalink: (channel: string, ts: string) => string;
  /** Without secrets. */
  redact: (text: string) => string;
  simulated: boolean;
}

/** What an issue's ticket says: of what the readers of its thread see, and nothing that people wrote there. */
export async function draftOf(
  issue: Issue,
  { wantedAt }: Pick<TicketRow, 'wantedAt'>,
  { store, permalink, redact, simulated }: DraftOptions,
): Promise<TicketDraft> {
  const results = await store.results.newest(issue.id);
  const steps = checklistOf(results ?? {}, await store.checklistSteps.ofIssue(issue.id)).flat();
  const line = (text: string, max: number) => cutAtWord(oneLine(redact(text)), max);
  const number = issueNumber(issue);
  const facts = [issue.severity, issue.environment, issue.service].filter((fact) => fact !== null);
  const more = steps.length - MOST_STEPS;
  const symptoms = (await store.issues.symptomsOf(issue.id))
    .filter(({ channel }) => channel === issue.channel)
    .map((one) => `${one.service ?? displayName(one)} (Gumshoe #${issueNumber(one) ?? '…'})`);
  return {
    title: line(`${displayName(issue)}${number === null ? '' : ` (Gumshoe #${number})`}`, MAX_TITLE),
    paragraphs: [
      ...(simulated ? ['Simulated: not your systems.'] : []),
      line(facts.join(', '), MAX_TITLE),
      line(rootCauseLine(results?.rootCause), MAX_CAUSE),
      ...(symptoms.length === 0 ? [] : [line(`Symptoms: ${symptoms.join(', ')}`, MAX_CAUSE)]),
    ],
    steps: [
      ...steps.slice(0, MOST_STEPS).map(({ action, step, done }) => ({
        text: line([action.title ?? '', stepName(step)].filter((part) => part !== '').join(': '), MAX_STEP),
        done: done !== null,
      })),
      ...(more > 0 ? [{ text: `${more} more in Slack`, done: false }] : []),
    ],
    slackUrl: issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs),
    reference: referenceOf(issue.id),
    uuid: uuidOf(issue.id, String(wantedAt)),
  };
}

/** What a ticket's next comment says, and what is said with it. */
export interface Saying {
  text: string;
  said: 'open' | 'resolved';
  saidRepeats: number;
  isFiring: boolean;
}

/** What follows it is said only of public channels. */
export const CAUSE = ' Root cause: ';

/** What is yet to be said of an issue at its ticket; `null` if nothing is, or not yet. */
export async function nextSaying(
  issue: Issue,
  row: TicketRow,
  now: number,
  { store, redact }: Pick<DraftOptions, 'store' | 'redact'>,
): Promise<Saying | null> {
  const { status, statusSince, repeats, lastRepeatAt } = issue;
  const fired = repeats - row.saidRepeats;
  if (status === 'resolved') {
    if (row.said === 'resolved') return null;
    const into = issue.joinedInto === null ? null : await store.issues.get(issue.joinedInto);
    const number = into === null ? null : issueNumber(into);
    if (number !== null) {
      const text = `Attached to Gumshoe #${number} on ${utc(statusSince)}, where it goes on.`;
      return { text, said: 'resolved', saidRepeats: repeats, isFiring: false };
    }
    const cause = await causeOf(issue, store);
    const why = cause ? `${CAUSE}${oneLine(redact(cause))}` : '';
    const text = `Resolved in Slack on ${utc(statusSince)}.${why}`;
    return { text, said: 'resolved', saidRepeats: repeats, isFiring: false };
  }
  const isOpenAgain = row.said === 'resolved';
  if (fired > 0) {
    if (now < row.quietUntil || status === 'muted') return null;
    const times = fired === 1 ? '' : ` ${fired} times, last`;
    const text = `Fired again${times} on ${utc(lastRepeatAt ?? now)}.${isOpenAgain ? ' The issue is open again.' : ''}`;
    return { text, said: 'open', saidRepeats: repeats, isFiring: true };
  }
  if (!isOpenAgain) return null;
  return {
    text: `Reopened in Slack on ${utc(statusSince)}.`,
    said: 'open',
    saidRepeats: repeats,
    isFiring: false,
  };
}

/** The same comment for every attempt to make it. */
export function commentOf({ issueId }: Pick<TicketRow, 'issueId'>, { text }: Pick<Saying, 'text'>): Comment {
  return { text, uuid: uuidOf(issueId, text) };
}

function utc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' at ')} UTC`;
}

/** A UUID of version 4 in form, which follows from its seed. */
function uuidOf(...seed: string[]): string {
  const hex = createHash('sha256').update(seed.join('\n')).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Ends what would be read as one word; nobody sees it. */
const APART = '\u200b';

/** Code in backticks, on one line. */
const CODE = /(?<!`)(`[^`\n]+`)(?!`)/u;

/**
 * Untrusted text, as Markdown that reads literally at GitHub and Linear: it formats nothing, loads no picture, notifies
 * nobody (`@team`) and links to no issue (`#12`, `GH-12`, an issue's address), which would leave a mark there. Code does none of
 * that, and stays as it is, to be copied.
 */
export function literalMarkdown(text: string): string {
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : withoutMarks(part)))
    .join('');
}

function withoutMarks(text: string): string {
  return withoutLinks(withoutMentions(text))
    .replace(/[\\`*[\]|~$]/gu, String.raw`\$&`)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replace(/&(?=#|\w)/gu, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Untrusted text of a title, where nothing is formatted or linked. */
export function withoutMentions(text: string): string {
  return text.replace(/@(?=[\w-])/gu, `@${APART}`);
}

function withoutLinks(text: string): string {
  return text
    .replace(/#(?=\d)/gu, `#${APART}`)
    .replace(/\bGH-(?=\d)/giu, `GH${APART}-`)
    .replace(/\b((?:github\.com|linear\.app))(?=\/)/giu, `$1${APART}`);
}

/** A draft as Markdown; it ends with the reference. */
export function draftAsMarkdown({ paragraphs, steps, slackUrl, reference }: TicketDraft): string {
  return [
    ...paragraphs.map(literalMarkdown),
    ...(steps.length === 0
      ? []
      : [steps.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${literalMarkdown(text)}`).join('\n')]),
    ['---', ...(slackUrl === null ? [] : [`Slack: ${slackUrl}`]), `Reference: ${reference}`].join('\n'),
  ].join('\n\n');
}
