import type { InvestigationResults } from '../../contract/answers.ts';
import type { IssueNumber } from '../shared/issue-number.ts';
import { channelMention, literal, quoted, userMention } from './escape.ts';
import { notice } from './fit.ts';
import { type HeadView, symptomLine } from './issues/incident.ts';
import { link } from './links.ts';
import type { Rendered } from './rendered.ts';
import { confidenceOf, isExplained } from './results/verdict.ts';
import { count, SIMULATED } from './words.ts';

/** The issue that a notice is about; `title` is untrusted. */
export interface NoticeIssue {
  number: IssueNumber;
  title: string;
  simulated: boolean;
}

/** Another issue; `null` for what its readers may not know. */
interface OtherIssue {
  number: IssueNumber | null;
  url: string | null;
}

const MAX_TITLE = 150;
const MAX_REASON = 500;

export function endedWithoutResults(issue: NoticeIssue): Rendered {
  return about(issue, 'The investigation ended without results.');
}

/** The investigation failed; `reason` is what the service says of it, untrusted. */
export function investigationFailed(issue: NoticeIssue, reason = ''): Rendered {
  return about(issue, `⚠️ ${quoted(reason, MAX_REASON) || 'The investigation failed.'}`);
}

/** A later look found what the one before it did; the message of that one at `url` has the newest numbers. */
export function lookedAgain(
  issue: NoticeIssue,
  { was, now, url }: { was: InvestigationResults; now: InvestigationResults; url: string | null },
): Rendered {
  const [before, after] = [was, now].map(confidenceOf);
  const sure = after === before ? after : `now ${after}, before ${before}`;
  const found = isExplained(now.rootCause) ? `the same root cause (${sure})` : 'still no root cause';
  const result = url === null ? 'The result' : link(url, 'The result');
  return about(issue, `Looked again: ${found}. ${result} above is up to date.`);
}

/** In place of a message that is not needed any more. */
export function saidAbove(number: IssueNumber): Rendered {
  return notice(`Results of #${number}: all of them are above now.`);
}

/** Posted once, after 30 minutes. */
export function takesLong(issue: NoticeIssue): Rendered {
  return about(
    issue,
    'The investigation is taking longer than 30 minutes. Results will still be posted here.',
  );
}

/** There is no issue with this number; `asked` is what the person typed, `meant` what they may have meant. */
export function unknownIssue(asked: string, meant: IssueNumber | null = null): Rendered {
  return notice(
    `There is no issue ${quoted(asked, 40) || 'with that number'}. ${meant === null ? 'The number is on the issue’s card.' : didYouMean(meant)}`,
  );
}

/** Somebody else has undone the requested change since; `what` says what they did (`reopened it`). */
export function overtaken({ who, what }: { who: string; what: string }): Rendered {
  return notice(`${userMention(who)} ${what} after that, so I left it alone.`);
}

/** Another issue with the same number may be shown here. */
export function otherIssueWithNumber(meant: IssueNumber): Rendered {
  return notice(didYouMean(meant));
}

function didYouMean(meant: IssueNumber): string {
  return `Did you mean #${meant}?`;
}

/** A button of an issue that is not in the database, perhaps because an old backup was restored. */
export function issueUnknownHere(): Rendered {
  return notice('I no longer have this issue. `/issue` with its number shows what the service has.');
}

/** A button under a message that is not in the database. */
export function messageUnknownHere(): Rendered {
  return notice('I no longer have this message. React with :mag: and I will file it as it is now.');
}

export function cameTooLate(): Rendered {
  return notice('Slack timed out before I could open the modal. Please try again.');
}

/** A modal about a private channel that the person is not (or no longer) in. */
export function notThere(): Rendered {
  return notice('Only members of its channel can do this. Ask one of them.');
}

/** Slack does not answer what has to be asked before something is done for a person. */
export function keptForLater(): Rendered {
  return notice(
    'Slack is not answering me at the moment. I have kept your request and will get to it as soon as Slack answers.',
  );
}

/** The same where nothing can be kept: a modal. */
export function slackIsDown(): Rendered {
  return notice('Slack is not answering me at the moment, so I did nothing. Please try again in a minute.');
}

export function gaveUpWaiting(hours: number): Rendered {
  return notice(
    `Slack did not answer me for ${count(hours, 'hour')}, so I dropped your request of then. Please send it again if you still need it.`,
  );
}

/** What fires now has another cause than before, and is another issue. */
export function anotherCause(
  issue: NoticeIssue,
  last: { was: string; now: string },
  other: OtherIssue,
): Rendered {
  const named = linkTo(other);
  const cause = `${literal(last.now)} (before: ${literal(last.was)})`;
  return about(
    issue,
    `Fired again, with another cause: ${cause}. Now tracked as ${named}; this issue is over.`,
  );
}

/** Two problems that were counted as one are two issues; `isNew` for the one that was only counted before. */
export function parted(issue: NoticeIssue, other: OtherIssue, isNew: boolean): Rendered {
  const why = 'its sender’s other messages show that they are two problems';
  return about(
    issue,
    isNew
      ? `This was counted as ${linkTo(other)} until now: ${why}.`
      : `Some of what I counted here goes on as ${linkTo(other)}: ${why}.`,
  );
}

function linkTo({ number, url }: OtherIssue): string {
  const label = number === null ? 'another issue' : `#${number}`;
  return url === null ? label : link(url, label);
}

/** What has a thread of its own is a symptom of another issue. */
export function becameSymptom(issue: NoticeIssue, head: HeadView): Rendered {
  return about(issue, `${symptomLine(head)}. It goes on there.`);
}

/** Somebody does more per minute than the limit. */
export function rateLimited(): Rendered {
  return notice('You are going too fast, so I skipped that one. Try again in a minute.');
}

export function filedEnough({ perHour, waitMs }: { perHour: number; waitMs: number }): Rendered {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  const filed = count(perHour, 'issue');
  return notice(
    `You have filed ${filed} in the last hour, the limit per person (FILE_PER_USER_HOUR). You can file the next one in ${count(minutes, 'minute')}. Alerts are still filed automatically.`,
  );
}

/** A modal that another version opened, or that is not ours. */
export function windowIsStale(): Rendered {
  return notice('I lost track of this modal. Please close it and open it again.');
}

/** A button under held alerts, pressed after the last of them was decided on. */
export function nothingWaits(): Rendered {
  return notice('Nothing is on hold here anymore; the message shows what happened to each alert.');
}

/** Guests and people from other organizations may not use Gumshoe. */
export function notAllowed(who: 'guest' | 'external'): Rendered {
  const whom = who === 'guest' ? 'Guests' : 'People from other organizations';
  return notice(`${whom} cannot use Gumshoe here. Ask a member of this workspace.`);
}

/** Precedes a direct message sent because the bot is not in the channel where the person asked. */
export function notInChannel(channelId: string, botUserId: string): Rendered {
  const channel = channelMention(channelId);
  const bot = userMention(botUserId);
  return notice(
    `I am not in ${channel}, so I am answering here. To add me, run \`/invite\` ${bot} in ${channel}.`,
  );
}

/**
 * Precedes a direct message sent because Slack refused the message in the channel where the person asked.
 *
 * @param reason Slack's own name of it, e.g. `is_archived`
 */
export function refusedThere(channelId: string, reason: string): Rendered {
  return notice(
    `Slack does not let me post in ${channelMention(channelId)} (${whyRefused(reason)}), so I am answering here.`,
  );
}

/** A sentence from the service client about what went wrong; it includes the request's id. */
export function serviceFailure(sentence: string): Rendered {
  return notice(
    `⚠️ ${quoted(sentence, MAX_REASON) || 'I could not reach the investigation service. Please try again.'}`,
  );
}

function whyRefused(reason: string): string {
  if (reason === 'is_archived') return 'it is archived';
  if (reason.startsWith('restricted_action')) return 'posting is restricted there';
  return quoted(reason.replaceAll('_', ' '), 80) || 'no reason given';
}

function about(issue: NoticeIssue, sentence: string): Rendered {
  const simulated = issue.simulated ? `${SIMULATED}. ` : '';
  return notice(`${simulated}#${issue.number} ${quoted(issue.title, MAX_TITLE)}\n${sentence}`);
}
