import { z } from 'zod';
import { joinNames, timeOfDay } from '../investigation/format.ts';
import { namedIn } from '../investigation/names.ts';
import { isEmpty, stem, termsOf, wordsOfName } from './catalog/terms.ts';
import { timesAsked } from './examples.ts';
import { scopeOf } from './issue-scope.ts';
import { momentOf } from './moment.ts';
import { cannotTell, type Found, services, tool } from './tool.ts';
import { briefs } from './tools/brief.ts';
import { endedByOf } from './tools/effect.ts';
import { relationOf } from './tools/relation.ts';
import { verdictOf } from './tools/verdict.ts';
import type { Facts, IssueFilter, IssueLookup, IssueOverview, IssueRecord } from './types.ts';
import type { Turn } from './understand.ts';
import { briefInWords, forCustomers } from './words/brief.ts';
import { relationInWords } from './words/relation.ts';
import { withoutCause } from './words/verdict.ts';

const USUAL = ['production', 'staging', 'development', 'test'];
const HOUR = 3_600_000;
const MOST_ISSUES = 15;
const MOST_EARLIER = 5;
const STATUSES: readonly [RegExp, IssueFilter['status']][] = [
  [/\bmuted\b/iu, 'muted'],
  [/\b(?<!un)(?:resolved|closed|solved|fixed)\b/iu, 'resolved'],
  [/\b(?:being |still )?investigat(?:ed|ing)\b/iu, 'investigating'],
  [/\bready\b/iu, 'ready_to_fix'],
];
const ENDED = /\b(?:fixed|helped|ended|solved|resolved|did (?:we|you|they) do)\b/iu;

const input = z.object({
  services,
  /**
   * One by its number, a list, earlier ones like the issue or the services, how two are related or something else is to
   * one, where one or all open ones stand, or that in a text for customers.
   */
  show: z.enum(['one', 'list', 'earlier', 'relation', 'brief', 'customers']).default('list'),
  number: z.number().int().nullable().default(null),
  other: z.number().int().nullable().default(null),
  status: z.enum(['open', 'investigating', 'ready_to_fix', 'muted', 'resolved']).default('open'),
  severity: z.string().max(20).nullable().default(null),
  /** In full or by its beginning (`prod`). */
  environment: z.string().max(100).nullable().default(null),
  /** What may have to do with the issue, in words. */
  what: z.string().max(1_000).default(''),
  /** Of earlier ones: what ended the last. */
  ended: z.boolean().default(false),
});
type IssuesArgs = z.output<typeof input>;

/** What is open? What was #12? Has this happened before? What fixed it last time? Is this related to #1? */
export const issues = tool({
  name: 'issues',
  answers:
    'the investigated issues: those that are open and where they stand, one by its number, earlier ones like it and what ended them, how two are related; a text for customers',
  example: 'What is open in staging?',
  input,
  isOffline: true,
  fill: (turn): z.input<typeof input> => {
    const { question, words, named, numberNamed, number } = turn;
    const pair = turn.aspect === 'relation' ? pairIn(turn) : null;
    return {
      services: [...named],
      show:
        turn.aspect === 'brief' || turn.aspect === 'customers'
          ? turn.aspect
          : numberNamed !== null && pair === null
            ? 'one'
            : turn.aspect === 'relation'
              ? 'relation'
              : turn.aspect === 'before'
                ? 'earlier'
                : 'list',
      number: pair?.[0] ?? number,
      other: pair?.[1] ?? numberNamed,
      status: STATUSES.find(([word]) => word.test(words))?.[1] ?? 'open',
      severity: /\b(low|medium|high)\b/iu.exec(words)?.[1]?.toLowerCase() ?? null,
      environment: environmentIn(question),
      what: question.slice(0, 1_000),
      ended: ENDED.test(words),
    };
  },
  run: (args, facts) => SHOWN[args.show](args, facts),
});

const SHOWN = { one, list, earlier, relation, brief: standing, customers: standing };

/** Whether something, or another open issue that its words name, has to do with the issue of the conversation. */
async function relation(args: IssuesArgs, facts: Facts): Promise<Found> {
  const { services: named, what } = args;
  if (args.number !== null && args.other !== null) return related(args, facts);
  const scope = facts.thread;
  if (scope === null)
    return cannotTell('I can’t tell which issue you mean: ask in its thread, or name its number.');
  const { number } = scope.issue;
  const [other, ...others] = named.some((name) => what.includes(name))
    ? []
    : facts.open.filter((one) => one.number !== number && isMeant(one, what));
  if (other !== undefined && others.length === 0)
    return related({ ...args, number, other: other.number }, facts);
  const found = await relationOf(what, named, scope, facts);
  return { data: { relation: found }, ...relationInWords(found, facts.now) };
}

/** Whether a question's words are in an issue's title, but for those that ask for issues; `the other one` is any. */
function isMeant({ title }: IssueOverview, question: string): boolean {
  if (/\bother (?:issue|one|alert|incident)\b/iu.test(question)) return true;
  const own = wordsOfName(title);
  const words = termsOf(question).flatMap(({ word }) => (isEmpty(word) ? [] : [stem(word)]));
  return (
    words.some((word) => own.includes(word)) &&
    words.every((word) => own.includes(word) || timesAsked(word, 'issues') > 0)
  );
}

/** Where the issue of the conversation stands, or each that is open. */
async function standing({ show }: IssuesArgs, facts: Facts): Promise<Found> {
  const all = await briefs(facts);
  return {
    data: { issues: all },
    text: show === 'customers' ? forCustomers(all) : briefInWords(all, facts.now),
  };
}

/** Two issues that a question names, or the thread's and another one. */
function pairIn({ question, numberNamed, threadNumber }: Turn): [number, number] | null {
  const [first, second] = [...question.matchAll(/#(\d{1,9})\b/gu)].map(([, digits]) => Number(digits));
  if (first !== undefined && second !== undefined && first !== second) return [first, second];
  return numberNamed === null || threadNumber === null || numberNamed === threadNumber
    ? null
    : [threadNumber, numberNamed];
}

function one({ number }: IssuesArgs, { issue, context }: Facts): Found {
  if (issue) return { data: { issue: summaryOf(issue) }, text: overviewOf(issue) };
  return {
    data: { issue: null },
    text: context?.rootCause ? `#${number} ${context.title}: ${context.rootCause}` : notFound(number),
  };
}

function summaryOf({ number, title, status, severity, environment, rootCauseSummary }: IssueOverview) {
  return { number, title, status, severity, environment, rootCause: rootCauseSummary };
}

async function earlier({ services: named, ended }: IssuesArgs, facts: Facts): Promise<Found> {
  const { scope, issue: thread, issues: lookup, view } = facts;
  const own = named.length > 0 ? named : (scope?.services ?? []);
  const title = thread?.title;
  if (own.length === 0 && title === undefined)
    return {
      data: { issues: [] },
      text: 'Which service or issue? Name one, and I’ll look for earlier issues like it.',
    };
  const names = view.services().map(({ name }) => name);
  const all = await issuesOf(lookup, 'open', 'resolved');
  const isLike = (other: IssueOverview) =>
    other.title === title ||
    namedIn(`${other.title} ${other.rootCauseSummary?.split(':')[0] ?? ''}`, names).some(
      ({ service, score }) => score === 1 && own.includes(service),
    );
  const others = all.filter(({ number }) => number !== thread?.number);
  const found = others.filter(isLike).sort((a, b) => b.number - a.number);
  const what = thread === null || named.length > 0 ? own.join(' or ') : `#${thread.number}`;
  const data = { issues: found.slice(0, MOST_EARLIER).map(summaryOf) };
  if (found.length === 0)
    return {
      data,
      text:
        others.length === 0
          ? 'There is no other issue here to compare with.'
          : `None of the other issues here (${others.length}) is like ${what}. I can’t tell what happened before the first of them.`,
      says: { relation: 'happened', holds: false },
    };
  const [last] = found;
  if (ended && last !== undefined) return { data, text: await endOf(last, facts) };
  const more = found.length > MOST_EARLIER ? [`… and ${found.length - MOST_EARLIER} more.`] : [];
  return {
    data,
    says: { relation: 'happened', holds: true },
    text: [
      `${found.length === 1 ? 'One other issue is' : `${found.length} other issues are`} like ${what}:`,
      '',
      ...found.slice(0, MOST_EARLIER).map(line),
      ...more,
    ].join('\n'),
  };
}

/** What ended an earlier issue, as the changes before its end show. */
async function endOf({ number }: IssueOverview, facts: Facts): Promise<string> {
  const record = await facts.issues.byNumber(number);
  if (record === null) return notFound(number);
  const view = await facts.viewAt(record);
  const ended = await endedByOf(scopeOf(record, view.view.services()), { ...facts, ...view });
  const cause = record.rootCauseSummary ?? withoutCause(verdictOf({ issue: record }));
  if (ended === null) {
    const until = Math.min(facts.now, record.triggeredAt + 6 * HOUR);
    const after = (await facts.changes({ from: record.triggeredAt - HOUR, to: until })).map(
      ({ title, at }) => `“${title}” at ${momentOf(at, facts.now)}`,
    );
    const changed = after.length === 0 ? '' : ` Changed around then: ${joinNames(after.slice(-5))}.`;
    return `I can’t tell what ended #${number} of ${momentOf(record.triggeredAt, facts.now)}: telemetry from that time does not show how it ended.${changed} ${cause}`;
  }
  return ended.change === null
    ? `#${number} was over at ${timeOfDay(ended.at)}; no change just before that explains what ended it. ${cause}`
    : `“${ended.change.title}” at ${timeOfDay(ended.change.at)} ended #${number}: it was over at ${timeOfDay(ended.at)}. ${cause}`;
}

async function related({ number, other: otherNumber }: IssuesArgs, facts: Facts): Promise<Found> {
  const { issues: lookup, view } = facts;
  const [own, other] = await Promise.all(
    [number, otherNumber].map((one) => (one === null ? null : lookup.byNumber(one))),
  );
  if (!other || !own) return { data: { related: null }, text: notFound(own ? otherNumber : number) };
  const [here, there] = [scopeOf(own, view.services()), scopeOf(other, view.services())];
  const shared = here.causes.filter((service) => there.causes.includes(service));
  const both = [here, there].map(
    ({ issue }) => `- #${issue.number}: ${issue.rootCauseSummary ?? withoutCause(verdictOf({ issue }))}`,
  );
  const data = { related: shared.length > 0, shared, issues: [summaryOf(own), summaryOf(other)] };
  const [says, said] =
    shared.length > 0
      ? ['**Probably yes.**', `Both are blamed on ${shared.join(' and ')}.`]
      : here.unknown !== null || there.unknown !== null
        ? [null, `there are no metrics for ${here.unknown ?? there.unknown}, and nothing connects the two.`]
        : here.causes.length === 0 || there.causes.length === 0
          ? [null, 'no cause is known for both.']
          : ['**No.**', 'I see no connection: they have different causes.'];
  const told = (text: string) => [text, '', ...both].join('\n');
  if (says === null) return cannotTell(told(`I can’t tell: ${said}`), data);
  return {
    data,
    says: { relation: 'related', holds: shared.length > 0, text: says },
    text: told(said ?? ''),
  };
}

async function list(args: IssuesArgs, { issues: lookup }: Facts): Promise<Found> {
  const { services: named, status, severity } = args;
  const everywhere = await lookup.list({ status, environment: null, severity });
  const environment = args.environment === null ? null : environmentOf(args.environment, everywhere.newest);
  const { newest, total } =
    environment === null ? everywhere : await lookup.list({ status, environment, severity });
  const chosen = newest.filter(({ title }) => named.length === 0 || namedIn(title, named).length > 0);
  const count = named.length === 0 ? total : chosen.length;
  const what = [
    ...(severity === null ? [] : [`of ${severity} severity`]),
    ...(named.length === 0 ? [] : [`about ${named.join(' or ')}`]),
  ].map((part) => ` ${part}`);
  const where = environment === null ? '' : ` in ${environment}`;
  const state = status.replaceAll('_', ' ');
  const shown = chosen.slice(0, MOST_ISSUES);
  const data = { status, total: count, issues: shown.map(summaryOf) };
  const says = { relation: 'exists' as const, holds: count > 0 };
  if (count === 0)
    return { data, says: { ...says, text: '' }, text: `No issue${what.join('')} is ${state}${where}.` };
  const head = `${count === 1 ? 'One issue' : `${count} issues`}${what.join('')} ${count === 1 ? 'is' : 'are'} ${state}${where}:`;
  const more = count > shown.length ? ['', `… and ${count - shown.length} more.`] : [];
  return { data, says, text: [head, '', ...shown.map(line), ...more].join('\n') };
}

export async function issuesOf(
  issues: IssueLookup,
  ...statuses: IssueFilter['status'][]
): Promise<IssueOverview[]> {
  const lists = statuses.map((status) => issues.list({ status, environment: null, severity: null }));
  return (await Promise.all(lists)).flatMap(({ newest }) => newest);
}

export function notFound(number: number | null): string {
  return `I can’t find issue #${number}. It may have been deleted, or belong to another organization.`;
}

function overviewOf(issue: IssueRecord): string {
  const { number, title, status, severity, environment, remediation } = issue;
  const cause =
    issue.rootCauseSummary ??
    (status === 'investigating' ? 'still under investigation.' : 'the investigation found none.');
  const actions =
    remediation.length === 0 ? [] : ['', '**Remediation**', ...remediation.map((action) => `- ${action}`)];
  return [
    `**#${number} ${title}** (${status.replaceAll('_', ' ')}, ${severity}, ${environment})`,
    '',
    `**Root cause${issue.findings?.rootCause.isUnexplained === true ? ' unknown' : ''}:** ${cause}`,
    ...actions,
  ].join('\n');
}

function line({ number, title, status, severity, environment, rootCauseSummary }: IssueOverview): string {
  const cause = rootCauseSummary === null ? '' : `\n  ${rootCauseSummary}`;
  return `- **#${number}** ${title} (${status.replaceAll('_', ' ')}, ${severity}, ${environment})${cause}`;
}

/** The environment that a question names, if it names one after `in`. */
function environmentIn(question: string): string | null {
  const phrase = /\b(?:in|on|for)\s+(?:the\s+)?([a-z][\w-]*)\b/giu;
  const words = [...question.toLowerCase().matchAll(phrase)].map(([, word]) => word ?? '');
  return words.at(-1) ?? null;
}

/** An environment by its name or its beginning (`prod`); `null` if it is none. */
function environmentOf(word: string, some: readonly IssueOverview[]): string | null {
  const known = [...new Set([...some.map(({ environment }) => environment), ...USUAL])];
  return (
    known.find((name) => name.toLowerCase() === word) ??
    known.find((name) => word.length >= 3 && name.startsWith(word)) ??
    null
  );
}
