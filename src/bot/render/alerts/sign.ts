import type { InvestigationResults } from '../../../contract/answers.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import type { Reason } from '../../store/reasons.ts';
import { literal } from '../escape.ts';
import { notice } from '../fit.ts';
import { link } from '../links.ts';
import type { Rendered } from '../rendered.ts';
import { verdictLine } from '../results/verdict.ts';
import { count } from '../words.ts';
import { reasonWords } from './reasons.ts';

/** What became of a message that has no card of its own. */
export interface SignView {
  became: 'counted' | 'filed' | 'held' | 'dismissed' | 'recovered';
  reason: Reason;
  /** Its issue; `null` for none, or one that lives in a private channel elsewhere. */
  issue: { number: IssueNumber | null; url: string | null } | null;
  /** The message of what is held, once it is posted. */
  heldUrl: string | null;
  /** What was found; `null` before. */
  verdict: { results: InvestigationResults; simulated: boolean } | null;
}

/** One line in the thread of an alert, with a link to where it continues. */
export function renderSign(view: SignView): Rendered {
  return notice([wordsOf(view), ...foundIn(view)].join('\n'));
}

/** The same on an alert's own message, whose thread may have the issue's card: what was found, and where; `null` for nothing to say. */
export function signLine(view: SignView): string | null {
  const [found] = foundIn(view);
  if (view.became !== 'counted') return found ?? null;
  return found === undefined ? wordsOf(view) : `${found} · ${issueWords(view.issue)}`;
}

function foundIn({ became, verdict, reason }: SignView): string[] {
  // Nobody looked at this firing: what was found of another one may be no cause of it.
  const isUnread = typeof reason !== 'string' && reason.code === 'flapping';
  const isOfIssue = (became === 'counted' && !isUnread) || became === 'filed';
  return verdict === null || !isOfIssue ? [] : [verdictLine(verdict.results, verdict.simulated)];
}

function wordsOf({ became, reason, issue, heldUrl }: SignView): string {
  const named = issueWords(issue);
  switch (became) {
    case 'held': {
      const why = literal(reasonWords(reason).replace(/^held: /u, ''));
      return `⏸️ On hold: ${why}${heldUrl === null ? '' : ` · ${link(heldUrl, 'What is on hold')}`}`;
    }
    case 'dismissed':
      return 'Dismissed with the alerts that were on hold.';
    case 'recovered':
      return 'It recovered while it was on hold, and was not filed.';
    case 'filed':
      return `Filed as ${named}.`;
    case 'counted':
      return countedWords(reason, named);
  }
}

function countedWords(reason: Reason, named: string): string {
  switch (typeof reason === 'string' ? reason : reason.code) {
    case 'fired_anew':
      return `Fired again after it was over: investigated again in ${named}.`;
    case 'fired_again':
      return `Fired again within the cool-down: ${named} is open again.`;
    case 'flapping':
      return typeof reason === 'string' || reason.code !== 'flapping'
        ? ''
        : `Flapping, ${count(reason.times, 'time')} in ${count(reason.minutes, 'minute')}: counted toward ${named}, and not investigated again.`;
    default:
      return `Counted toward ${named}.`;
  }
}

function issueWords(issue: SignView['issue']): string {
  if (issue === null) return 'an issue in a private channel';
  const label = issue.number === null ? 'its issue' : `#${issue.number}`;
  return issue.url === null ? label : link(issue.url, label);
}
