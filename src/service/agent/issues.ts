import { namedIn } from '../investigation/names.ts';
import { checklistOf, withoutCause } from './about-issue.ts';
import { scopeOf } from './issue-scope.ts';
import type { IssueFilter, IssueOverview, IssueRecord, Tool } from './types.ts';

/** What somebody wants done. */
const COMMAND =
  /^\W*(?:please\s+|pls\s+|(?:can|could|would) you\s+(?:please\s+)?|now\s+)?(?:delete|resolve|close|mute|unmute|reopen|set|mark|restart|reboot|kill|scale|drain|deploy|redeploy|roll ?back|revert|silence|ack(?:nowledge)?|page|assign|escalate)\b(?!.*\b(?:help|work)(?:ed)?\b)/iu;
/** Commands whose steps are on a checklist. */
const MENDS = /\b(?:restart|reboot|scale|roll ?back|revert|deploy|redeploy)\b/iu;

/** Restart orders! Delete #12! */
export const commands: Tool = {
  name: 'commands',
  example: '',
  matches: ({ question }) => COMMAND.test(question),
  async answer(turn, facts) {
    const { issue, scope } = facts;
    if (turn.numberNamed !== null && issue === null) return notFound(turn.numberNamed);
    const what =
      issue === null || MENDS.test(turn.question)
        ? 'I have changed nothing'
        : `#${issue.number} is unchanged`;
    const refusal = `I’m read-only, so ${what}.`;
    if (scope !== null && MENDS.test(turn.question) && scope.issue.findings !== null)
      return `${refusal}\n\n${await checklistOf(turn, scope, facts)}`;
    return issue === null || MENDS.test(turn.question) ? refusal : `${refusal}\n\n${overviewOf(issue)}`;
  },
};

/** What was #12? */
export const issue: Tool = {
  name: 'issue',
  example: 'What was #12?',
  offline: true,
  matches: ({ numberNamed }) => numberNamed !== null,
  answer: ({ number, context }, { issue: found }) => {
    if (found) return overviewOf(found);
    return context?.rootCause ? `#${number} ${context.title}: ${context.rootCause}` : notFound(number);
  },
};

function notFound(number: number | null): string {
  return `I can’t find issue #${number}. It may have been deleted, or belong to another organisation.`;
}

function overviewOf({
  number,
  title,
  status,
  severity,
  environment,
  remediation,
  ...found
}: IssueRecord): string {
  const cause =
    found.rootCauseSummary ??
    (status === 'investigating' ? 'still under investigation.' : 'the investigation found none.');
  const actions =
    remediation.length === 0 ? [] : ['', '**Remediation**', ...remediation.map((action) => `- ${action}`)];
  return [
    `**#${number} ${title}** (${status.replaceAll('_', ' ')}, ${severity}, ${environment})`,
    '',
    `**Root cause:** ${cause}`,
    ...actions,
  ].join('\n');
}

const MOST_EARLIER = 5;

/** Has this happened before? */
export const before: Tool = {
  name: 'before',
  example: '',
  matches: ({ question }) =>
    /\b(?:happen(?:ed)?|seen (?:this|it)|occur(?:red)?|had (?:this|that|it)|fail(?:ed)?) before\b|\bfirst time\b|\brecurr|\b(?:last|previous|earlier|similar|past) (?:incident|issue|time)s?\b|\bhow often\b|\bagain\?/iu.test(
      question,
    ),
  async answer({ named }, { scope, issue: thread, issues, view }) {
    const services = named.length > 0 ? named : (scope?.services ?? []);
    const title = thread?.title;
    if (services.length === 0 && title === undefined)
      return 'Which service or issue? Name one, and I look for earlier issues like it.';
    const names = view.services().map((one) => one.name);
    const all = (
      await Promise.all(
        (['open', 'resolved'] as const).map((status) =>
          issues.list({ status, environment: null, severity: null }),
        ),
      )
    ).flatMap(({ newest }) => newest);
    const isLike = (one: IssueOverview) =>
      one.title === title ||
      namedIn(`${one.title} ${one.rootCauseSummary?.split(':')[0] ?? ''}`, names).some(
        ({ service, score }) => score === 1 && services.includes(service),
      );
    const found = all
      .filter((one) => one.number !== thread?.number && isLike(one))
      .sort((a, b) => b.number - a.number);
    const what = thread === null || named.length > 0 ? services.join(' or ') : `#${thread.number}`;
    if (found.length === 0)
      return `Not as far as I know: none of the ${all.length} issues here is like ${what}. What happened before the first of them, I can’t tell.`;
    const more = found.length > MOST_EARLIER ? [`… and ${found.length - MOST_EARLIER} more.`] : [];
    return [
      `${found.length === 1 ? 'One other issue is' : `${found.length} other issues are`} like ${what}:`,
      '',
      ...found.slice(0, MOST_EARLIER).map((one) => `${line(one)}`),
      ...more,
    ].join('\n');
  },
};

/** Is this related to #1? */
export const related: Tool = {
  name: 'related',
  example: '',
  matches: ({ question, numberNamed, threadNumber }) =>
    numberNamed !== null &&
    threadNumber !== null &&
    numberNamed !== threadNumber &&
    /\brelated|\bsame\b|\bconnect|\blinked|\bduplicate|\bbecause of|\bdue to|\bcaused? by|\blike\b/iu.test(
      question,
    ),
  async answer({ threadNumber, numberNamed }, { issues, issue: other, view }) {
    const own = threadNumber === null ? null : await issues.byNumber(threadNumber);
    if (other === null || own === null) return notFound(other === null ? numberNamed : threadNumber);
    const [here, there] = [scopeOf(own, view), scopeOf(other, view)];
    const shared = here.causes.filter((service) => there.causes.includes(service));
    const both = [here, there].map(
      ({ issue: one, ...scope }) =>
        `- #${one.number}: ${one.rootCauseSummary ?? withoutCause({ issue: one, ...scope })}`,
    );
    const verdict =
      shared.length > 0
        ? `**Probably:** both are put down to ${shared.join(' and ')}.`
        : here.unknown !== null || there.unknown !== null
          ? `I can’t tell: there are no metrics for ${here.unknown ?? there.unknown}, and nothing connects the two.`
          : '**I see no connection:** they are put down to different things.';
    return [verdict, '', ...both].join('\n');
  },
};

const USUAL = ['production', 'staging', 'development', 'test'];
const MOST_ISSUES = 15;
const STATUSES: readonly [RegExp, IssueFilter['status']][] = [
  [/\bmuted\b/iu, 'muted'],
  [/\b(?<!un)(?:resolved|closed|solved|fixed)\b/iu, 'resolved'],
  [/\b(?:being |still )?investigat(?:ed|ing)\b/iu, 'investigating'],
  [/\bready\b/iu, 'ready_to_fix'],
];
const ASKS =
  /\balerts? (?:are |is )?(?:firing|active|open)\b|\b(?:firing|active) alerts?\b|\b(open|unresolved|outstanding)\b(?!\s+(?:connection|the)\b)|\b(list|which|any|how many|newest|latest|all)\b.*\bissues?\b|\b(?:what|which|how many|anything)\b.*\b(?:muted|resolved)\b/iu;

/** What is open? Which issues are muted? */
export const openIssues: Tool = {
  name: 'open issues',
  example: 'What is open in staging?',
  offline: true,
  matches: ({ question, numberNamed }) => numberNamed === null && ASKS.test(question),
  async answer({ question, named }, { issues }) {
    const status = STATUSES.find(([word]) => word.test(question))?.[1] ?? 'open';
    const severity = /\b(low|medium|high)\b/iu.exec(question)?.[1]?.toLowerCase() ?? null;
    const everywhere = await issues.list({ status, environment: null, severity });
    const environment = environmentIn(question, everywhere.newest);
    const { newest, total } =
      environment === null ? everywhere : await issues.list({ status, environment, severity });
    const chosen = newest.filter(({ title }) => named.length === 0 || namedIn(title, named).length > 0);
    const number = named.length === 0 ? total : chosen.length;
    const what = [
      ...(severity === null ? [] : [`of ${severity} severity`]),
      ...(named.length === 0 ? [] : [`about ${named.join(' or ')}`]),
    ].map((part) => ` ${part}`);
    const where = environment === null ? '' : ` in ${environment}`;
    const state = status.replaceAll('_', ' ');
    if (number === 0) return `No issue${what.join('')} is ${state}${where}.`;
    const count = number === 1 ? 'One issue' : `${number} issues`;
    const shown = chosen.slice(0, MOST_ISSUES);
    const more = number > shown.length ? ['', `… and ${number - shown.length} more.`] : [];
    const head = `${count}${what.join('')} ${number === 1 ? 'is' : 'are'} ${state}${where}:`;
    return [head, '', ...shown.map(line), ...more].join('\n');
  },
};

function line({ number, title, status, severity, environment, rootCauseSummary }: IssueOverview): string {
  const cause = rootCauseSummary === null ? '' : `\n  ${rootCauseSummary}`;
  return `- **#${number}** ${title} (${status.replaceAll('_', ' ')}, ${severity}, ${environment})${cause}`;
}

/** The environment named, in full or by its beginning (`prod`). */
function environmentIn(question: string, some: readonly IssueOverview[]): string | null {
  const words = question.toLowerCase().split(/[^\w-]+/u);
  const known = [...new Set([...some.map(({ environment }) => environment), ...USUAL])];
  return (
    known.find((name) => words.includes(name.toLowerCase())) ??
    known.find((name) =>
      words.some((word) => ['prod', 'stage', 'dev'].includes(word) && name.startsWith(word.slice(0, 4))),
    ) ??
    null
  );
}
