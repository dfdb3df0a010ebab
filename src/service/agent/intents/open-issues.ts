import { namedIn } from '../../investigation/match.ts';
import type { Intent, IssueFilter, IssueOverview } from '../types.ts';

const USUAL = ['production', 'staging', 'development', 'test'];
const MOST = 15;
const STATUSES: readonly [RegExp, IssueFilter['status']][] = [
  [/\bmuted\b/iu, 'muted'],
  [/\b(?<!un)(?:resolved|closed|solved|fixed)\b/iu, 'resolved'],
  [/\b(?:being |still )?investigat(?:ed|ing)\b/iu, 'investigating'],
  [/\bready\b/iu, 'ready_to_fix'],
];
const ASKS =
  /\b(open|unresolved|outstanding)\b(?!\s+(?:connection|the)\b)|\b(list|which|any|how many|newest|latest|all)\b.*\bissues?\b|\b(?:what|which|how many|anything)\b.*\b(?:muted|resolved)\b/iu;

/** What is open? Which issues are muted? */
export const openIssues: Intent = {
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
    const shown = chosen.slice(0, MOST);
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
