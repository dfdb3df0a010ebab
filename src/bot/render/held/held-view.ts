import { cutAtWord, displayName, oneLine } from '../../../lib/text.ts';
import type { Severity } from '../../alerts/types.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import type { Hold } from '../../store/holds.ts';
import { clean, literal } from '../escape.ts';
import { count } from '../words.ts';

const MAX_TITLE = 75;
/** `&amp;` */
const LONGEST_ENTITY = 5;

/** A problem in a held batch; titles, services and tools are untrusted. */
export interface HeldProblemView {
  /** Its id within the channel. */
  key: string;
  state: 'waiting' | 'filed' | 'joined' | 'recovered' | 'dismissed';
  title: string | null;
  service: string | null;
  tool: string | null;
  severity: Severity | null;
  messages: number;
  /** Its issue, without a number until the service has created it, and without `url` if it lives elsewhere. */
  issue: { number: IssueNumber | null; refused: boolean; url: string | null } | null;
}

/** Alerts held under one message; times in milliseconds. */
export interface HeldView extends Pick<Hold, 'id' | 'reason' | 'state'> {
  lastAt: number;
  /** When the daily limit allows a new issue again; `null` if it does now. */
  freesAt: number | null;
  budget: { issues: number; minutes: number };
  maxIssuesPerDay: number;
  dismissedBy: string | null;
  /** Most recently fired first. */
  problems: readonly HeldProblemView[];
}

/** `31 alerts of 4 problems`; `4 alerts` if each is a different problem. */
export function alertsOf(problems: readonly HeldProblemView[]): string {
  const alerts = count(messagesOf(problems), 'alert');
  return messagesOf(problems) === problems.length
    ? alerts
    : `${alerts} from ${count(problems.length, 'problem')}`;
}

export function messagesOf(problems: readonly HeldProblemView[]): number {
  return problems.reduce((sum, { messages }) => sum + messages, 0);
}

/** A problem's title as safe mrkdwn, on one line. */
export function titleOf({ title, service }: HeldProblemView): string {
  return short(displayName({ title: title ?? '', service }), MAX_TITLE) || 'Alert without a title';
}

/** Whose it is: its service, else what its title names beside the rule; empty if neither says. Untrusted. */
export function serviceOf({ title, service }: HeldProblemView): string {
  return service ?? displayName({ title: title ?? '', service }).split(' · ')[1] ?? '';
}

/** Untrusted text as safe mrkdwn on one line of at most `max` characters, however much of it had to be escaped. */
export function short(text: string | null, max: number): string {
  const line = oneLine(clean(text ?? ''));
  const escaped = literal(cutAtWord(line, max));
  return escaped.length <= max ? escaped : literal(cutAtWord(line, Math.floor(max / LONGEST_ENTITY)));
}
