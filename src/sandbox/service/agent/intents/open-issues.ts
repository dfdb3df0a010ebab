import { namedIn } from '../../investigator/match.ts';
import type { Intent, IssueBrief } from '../types.ts';

const USUAL = ['production', 'staging', 'development', 'test'];
const MOST = 15;

/** What is open? */
export const openIssues: Intent = {
  name: 'open issues',
  example: 'What is open in staging?',
  matches: ({ question }) =>
    /\b(open|unresolved|outstanding)\b(?!\s+(?:connection|the)\b)|\b(list|which|any|how many)\b.*\bissues?\b/iu.test(
      question,
    ),
  answer({ question, named }, { issues }) {
    const all = issues.open();
    const environment = environmentIn(question, all);
    const chosen = (environment === null ? all : issues.open(environment)).filter(
      ({ title }) => named.length === 0 || namedIn(title, named).length > 0,
    );
    const where = environment === null ? '' : ` in ${environment}`;
    const what = named.length === 0 ? '' : ` about ${named.join(' or ')}`;
    if (chosen.length === 0) return `No issue${what} is open${where}.`;
    const count = chosen.length === 1 ? 'One issue' : `${chosen.length} issues`;
    const verb = chosen.length === 1 ? 'is' : 'are';
    const more = chosen.length > MOST ? ['', `… and ${chosen.length - MOST} more.`] : [];
    return [`${count}${what} ${verb} open${where}:`, '', ...chosen.slice(0, MOST).map(line), ...more].join(
      '\n',
    );
  },
};

function line({ number, title, status, severity, environment, rootCauseSummary }: IssueBrief): string {
  const cause = rootCauseSummary === null ? '' : `\n  ${rootCauseSummary}`;
  return `- **#${number}** ${title} (${status.replaceAll('_', ' ')}, ${severity}, ${environment})${cause}`;
}

/** The environment that is named, in full or by its beginning (`prod`). */
function environmentIn(question: string, open: readonly IssueBrief[]): string | null {
  const words = question.toLowerCase().split(/[^\w-]+/u);
  const known = [...new Set([...open.map(({ environment }) => environment), ...USUAL])];
  return (
    known.find((name) => words.includes(name.toLowerCase())) ??
    known.find((name) =>
      words.some((word) => ['prod', 'stage', 'dev'].includes(word) && name.startsWith(word.slice(0, 4))),
    ) ??
    null
  );
}
