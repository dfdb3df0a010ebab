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
  /** A link to its thread. */
  url: string | null;
  /** In milliseconds; `null` while it is open. */
  resolvedAt: number | null;
}

/** An alert of an incident. */
export interface MemberView {
  /** What it is about; untrusted. */
  name: string;
  /** Its issue, unless that is the one that leads. */
  number: IssueNumber | null;
  isFiring: boolean;
}

const MAX_NAMED = 6;
const MAX_NAME = 60;

/** `A symptom of #5 Ledger is down: instances of ledger are gone`; safe mrkdwn. */
export function symptomLine({ cause, resolvedAt, ...head }: HeadView): string {
  const why = cause === null ? '' : `: ${literal(cause)}`;
  const end = resolvedAt === null ? '' : ` (resolved ${date(resolvedAt)})`;
  return `A symptom of ${issueNumberAndTitle(head)}${why}${end}`;
}

/** `3 alerts: gate, seats (#6), payments-gw (#7) · 1 still firing`; `null` for one alone. */
export function incidentLine(members: readonly MemberView[]): string | null {
  if (members.length < 2) return null;
  const named = members
    .slice(0, MAX_NAMED)
    .map(({ name, number }) => `${nameOf(name)}${number === null ? '' : ` (#${number})`}`);
  const more = members.length - named.length;
  const firing = members.filter(({ isFiring }) => isFiring).length;
  const state = firing === 0 ? 'all recovered' : `${firing} still firing`;
  return `${count(members.length, 'alert')}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''} · ${state}`;
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

function nameOf(name: string): string {
  return literal(plainName(name));
}

function plainName(name: string): string {
  return cutAtWord(oneLine(clean(name)), MAX_NAME) || 'an alert';
}
