import { cutAtWord, displayName, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { clean, label } from '../escape.ts';
import { phrase } from '../results/phrases.ts';

/** An open issue to suggest a question about; its texts are untrusted. */
export interface PromptIssue {
  number: IssueNumber;
  title: string;
  status: string;
  service: string | null;
  environment: string;
}

export interface SuggestedPrompts {
  title: string;
  prompts: { title: string; message: string }[];
}

/** Slack's maximum. */
const MOST = 4;
/** One prompt is reserved for problems that are not an issue yet. */
const MOST_ISSUES = 3;
const MAX_TITLE = 75;
const MAX_THREAD_TITLE = 60;

const GENERAL = [
  { title: 'What is firing right now?', message: 'Which issues are open right now?' },
  { title: 'What changed recently?', message: 'What was deployed or changed in the last few hours?' },
  { title: 'How healthy are the services?', message: 'How healthy are the services right now?' },
  { title: 'Which issues are muted?', message: 'Which issues are muted?' },
] as const;

/**
 * Questions to begin with, as buttons: about the issues that are open, then general ones. All plain text; a press sends
 * `message` as the person's own words, so nothing of an issue but its number is in it.
 *
 * @param issues those that this person may see, the most pressing first
 */
export function suggestedPrompts(issues: readonly PromptIssue[]): SuggestedPrompts {
  const about = issues.slice(0, MOST_ISSUES).map(promptAbout);
  return {
    title: issues.length === 0 ? 'Ask me about your systems' : 'Ask me about open issues',
    prompts: [...about, ...GENERAL].slice(0, MOST),
  };
}

/** The title of a thread: its first question, without mentions. */
export function threadTitle(question: string): string {
  const words = oneLine(clean(question).replace(/<[^<>\n]*>/gu, ' '));
  return label(cutAtWord(words, MAX_THREAD_TITLE)) || 'A question';
}

function promptAbout({ number, title, status, service, environment }: PromptIssue): {
  title: string;
  message: string;
} {
  const words =
    phrase(displayName({ title, service }), MAX_TITLE) ||
    [phrase(service ?? '', 30), phrase(environment, 30)].join(' ');
  const isUnderWay = status === 'investigating';
  const asks = isUnderWay ? `What do we know about #${number}?` : `Why is #${number} happening?`;
  return {
    title: label(cutAtWord(`${asks} ${words}`.trim(), MAX_TITLE)),
    message: isUnderWay
      ? `What do we know about issue #${number} so far?`
      : `What is the root cause of issue #${number}, and what should we do first?`,
  };
}
