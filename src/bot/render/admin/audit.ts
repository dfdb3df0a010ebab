import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { channelMention, quoted, userMention } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { type IssueReference, issueLine } from '../issues/issue-reference.ts';
import { context, inSections, type Rendered, section } from '../rendered.ts';
import { count } from '../words.ts';

/** One line of a history. `who` is a person's id, or `null` if it happened by itself; `what` is untrusted. */
export interface AuditLine {
  at: number;
  who: string | null;
  what: string;
}

/** A history, the newest last; `older` counts the entries that are not shown. */
export interface History {
  lines: readonly AuditLine[];
  older: number;
}

const MAX_WHAT = 300;
/** Texts cut to this length fit a whole history into one message. */
const MAX_TEXT = 9_000;

export function renderIssueHistory(issue: IssueReference, history: History): Rendered {
  return render(`*History of ${issueLine(issue)}*`, history, 'No changes yet.');
}

export function renderChannelHistory(channel: string, history: History): Rendered {
  return render(`*Changes to Gumshoe’s settings in ${channelMention(channel)}*`, history, 'No changes yet.');
}

export function noHistoryHere(number: IssueNumber, meant: IssueNumber | null = null): Rendered {
  return notice(
    `I have no history for #${number}: it was not filed through me, or is still being filed.${instead(meant)}`,
  );
}

/** An issue that lives in a private channel elsewhere. */
export function historyIsPrivate(number: IssueNumber, meant: IssueNumber | null = null): Rendered {
  return notice(`#${number} belongs to a private channel; its history is only shown there.${instead(meant)}`);
}

/** The private issue with the same number, if it may be shown. */
function instead(meant: IssueNumber | null): string {
  return meant === null ? '' : ` Did you mean #${meant}?`;
}

export function usageAudit(): Rendered {
  return notice(
    'For an issue’s history, add its number: `/gumshoe audit 12`. `/gumshoe audit` alone shows who changed this channel’s settings.',
  );
}

function render(heading: string, history: History, none: string): Rendered {
  const { shown, older } = newest(history);
  return fitMessage({
    text: heading,
    blocks: [
      section(heading),
      ...(older > 0 ? [context(`… and ${older} older`)] : []),
      ...inSections(shown),
      ...(shown.length === 0 ? [context(none)] : [context(count(shown.length + older, 'entry', 'entries'))]),
    ],
  });
}

/** As many of the newest lines as one message holds. */
function newest({ lines, older }: History): { shown: string[]; older: number } {
  const shown: string[] = [];
  let length = 0;
  for (const text of lines.map(line).reverse()) {
    length += text.length + 1;
    if (length > MAX_TEXT) break;
    shown.unshift(text);
  }
  return { shown, older: older + lines.length - shown.length };
}

function line({ at, who, what }: AuditLine): string {
  const did = quoted(what, MAX_WHAT);
  return `• ${date(at)} · ${who === null ? '' : `${userMention(who)} `}${did}`;
}
