import type { ServiceOwner } from '../../contract/schema.ts';
import { joinNames } from '../investigation/format.ts';
import type { IssueRecord } from './types.ts';
import type { Turn } from './understand.ts';

/** Somebody is to be woken, called, asked … */
const TO_DO = /^\W*(?:so |and |ok )*whom?\b.*\b(?:do|should|can|could|must) (?:i|we)\b/iu;
/** What a person is to a service. */
const ROLE =
  /^\W*(?:so |and |ok )*(?:who(?:m|se|['’]?s)?|which (?:team|person|engineer)s?|what team)\b.*\b(?:owns?|owners?|on[- ]?call|responsible|in charge|maintains?)\b/iu;
/** What is owned. What stands for the issue, or for its service, names nothing else. */
const OWNED =
  /\b(?:owns?|owners? of|for|of|maintains?|about)\s+(?:the\s+)?(?!(?:this|that|it|these|those|the|issue|service|alert|now|today|tonight|us|here|whom?)\b)([a-z0-9](?:[\w.-]*\w)?)/iu;

/**
 * Whether a question asks for an owner, or who is on call: what the client knows, and telemetry does not.
 *
 * @param isOfCalls whether it may be one of which services call which: `who do we depend on?`
 */
export function asksForOwner(question: string, isOfCalls: boolean): boolean {
  return ROLE.test(question) || (!isOfCalls && TO_DO.test(question));
}

/** Who owns what a question names, else what its issue is about. */
export function ownersInWords(
  { question, named, numberNamed, threadNumber }: Turn,
  owners: readonly ServiceOwner[],
  issue: IssueRecord | null,
): string {
  const other = OWNED.exec(question)?.[1];
  const asked = named.length > 0 ? named : other === undefined ? [] : [other];
  const names = asked.map((name) => name.toLowerCase());
  const isOfThread = numberNamed === null || numberNamed === threadNumber;
  const found = owners.filter(({ service }) =>
    names.length > 0 ? names.includes(service?.toLowerCase() ?? '') : isOfThread,
  );
  if (found.length === 0) {
    const subject = asked.length > 0 ? joinNames([...asked]) : issue === null ? 'it' : `#${issue.number}`;
    return `I don’t know who owns ${subject}: an entry in the file that \`OWNERS\` names would tell.`;
  }
  const sentences = [...new Map(found.map((one) => [`${one.service} ${one.name}`, one])).values()].map(
    ({ service, name, on_call: onCall }) =>
      `**${name}** owns ${service ?? 'it'}${onCall.length === 0 ? '' : `; on call: ${joinNames(onCall)}`}`,
  );
  const isUnknown = /\bon[- ]?call\b/iu.test(question) && found.every((one) => one.on_call.length === 0);
  return `${sentences.join('. ')}.${isUnknown ? ' I was not told who is on call.' : ''}${
    issue !== null && found.some(({ channel }) => channel !== null)
      ? ' The card links the channel to ask in.'
      : ''
  }`;
}
