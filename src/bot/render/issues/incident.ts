import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { clean, literal } from '../escape.ts';
import { count } from '../words.ts';
import { issueNumberAndTitle } from './issue-reference.ts';

/** The issue that leads an incident; its title and cause are untrusted. */
export interface HeadView {
  number: IssueNumber | null;
  title: string;
  /** In a few words; `null` while none is known. */
  cause: string | null;
  url: string | null;
  /** In milliseconds; `null` while it is open. */
  resolvedAt: number | null;
}

export interface MemberView {
  /** What it is about; untrusted. */
  name: string;
  /** Its issue, unless that is the one that leads. */
  number: IssueNumber | null;
  /** Not what somebody reported. */
  isAlert: boolean;
  isFiring: boolean;
  /** Its alert was seen to recover: not only that somebody resolved it. */
  hasRecovered: boolean;
}

const MAX_NAMED = 6;
const MAX_NAME = 60;

/** `A symptom of #5 Ledger is down: instances of ledger are gone`; safe mrkdwn. */
export function symptomLine({ cause, resolvedAt, ...head }: HeadView): string {
  const why = cause === null ? '' : `: ${literal(cause)}`;
  const end = resolvedAt === null ? '' : ` (resolved ${date(resolvedAt)})`;
  return `A symptom of ${issueNumberAndTitle(head)}${why}${end}`;
}

/** `3 alerts: gate, seats (#6), payments-gw (#7) · 1 still firing · 1 report: web (#8)`; `null` for one alone. */
export function incidentLine(members: readonly MemberView[]): string | null {
  if (members.length < 2) return null;
  const alerts = members.filter(({ isAlert }) => isAlert);
  const reports = members.filter(({ isAlert }) => !isAlert);
  const firing = alerts.filter(({ isFiring }) => isFiring).length;
  const recovered = alerts.filter(({ hasRecovered }) => hasRecovered).length;
  const over = recovered === alerts.length ? 'all recovered' : `${recovered} recovered`;
  const state = firing === 0 ? over : `${firing} still firing`;
  return [
    ...(alerts.length === 0 ? [] : [counted(alerts, 'alert'), state]),
    ...(reports.length === 0 ? [] : [counted(reports, 'report')]),
  ].join(' · ');
}

function counted(members: readonly MemberView[], what: string): string {
  const named = members
    .slice(0, MAX_NAMED)
    .map(({ name, number }) => `${literal(plainName(name))}${number === null ? '' : ` (#${number})`}`);
  const more = members.length - named.length;
  return `${count(members.length, what)}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `2 symptoms: seats (#6), payments-gw (#7)`; `null` for none. Safe mrkdwn. */
export function symptomsLine(symptoms: readonly MemberView[]): string | null {
  const line = plainSymptoms(symptoms);
  return line === null ? null : literal(line);
}

/** The same for plain text, where nothing is escaped. */
export function plainSymptoms(symptoms: readonly MemberView[]): string | null {
  if (symptoms.length === 0) return null;
  const named = symptoms
    .slice(0, MAX_NAMED)
    .map(({ name, number }) => `${plainName(name)} (#${number ?? '…'})`);
  const more = symptoms.length - named.length;
  return `${count(symptoms.length, 'symptom')}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function plainName(name: string): string {
  return cutAtWord(oneLine(clean(name)), MAX_NAME) || 'an alert';
}
