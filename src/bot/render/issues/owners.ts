import type { InvestigationResults } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { channelMention, clean, quoted, userMention } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { link } from '../links.ts';
import { context, type Rendered, section } from '../rendered.ts';
import { verdictLine } from '../results/verdict.ts';
import type { OwnerView, PageView } from '../views.ts';
import { SIMULATED } from '../words.ts';

const MAX_NAME = 100;
const MOST_ON_CALL = 3;

/** `Owner: payments · on call: ana until 18:00 · ask in #payments`. */
export function ownerLine({ of, name, onCall, channel }: OwnerView): string {
  const parts = [
    `Owner${of === null ? '' : ` of ${words(of)}`}: ${words(name)}`,
    ...(onCall === null || onCall.names.length === 0 ? [] : [onCallWords(onCall)]),
    ...(channel === null ? [] : [`ask in ${channelMention(channel)}`]),
  ];
  return parts.join(' · ');
}

function onCallWords({ names, until, asOf }: NonNullable<OwnerView['onCall']>): string {
  const more = names.length > MOST_ON_CALL ? ` and ${names.length - MOST_ON_CALL} more` : '';
  const when = until === null ? `as of ${date(asOf)}` : `until ${date(until)}`;
  return `on call: ${names.slice(0, MOST_ON_CALL).map(words).join(', ')}${more} ${when}`;
}

/** What the owner of a service is shown of an issue in their own channel. Texts are untrusted. */
export interface AskOwnerView {
  number: IssueNumber;
  title: string;
  owner: string;
  askedBy: string;
  results: InvestigationResults;
  /** The first step that nobody has done. */
  next: string | null;
  url: string | null;
  simulated: boolean;
}

/** *Ask the owner*, in the owner's channel: the verdict in three lines, and a link. Only who pressed is mentioned. */
export function renderAskOwner({
  number,
  title,
  owner,
  askedBy,
  results,
  next,
  url,
  simulated,
}: AskOwnerView): Rendered {
  const name = quoted(`#${number} ${title}`, 200);
  return fitMessage({
    text: `${simulated ? `${SIMULATED}. ` : ''}A question to ${words(owner)} about ${name}`,
    blocks: [
      ...(simulated ? [context(SIMULATED)] : []),
      section(
        [
          `*${name.replaceAll('*', '\u2217')}*`,
          verdictLine(results, false),
          ...(next === null ? [] : [`*Do first:* ${quoted(next, 300)}`]),
        ].join('\n'),
      ),
      context(
        `${userMention(askedBy)} asks ${words(owner)}, which owns this, to take a look${url === null ? '' : ` · ${link(url, 'Open the thread')}`}`,
      ),
    ],
  });
}

/** What *Page* asks before it wakes somebody; plain text. */
export function pageQuestion({ owner, tool, onCall }: PageView): string {
  const names = (onCall?.names ?? [])
    .slice(0, MOST_ON_CALL)
    .map((name) => cutAtWord(oneLine(clean(name)), 50));
  const who = names.length === 0 ? '' : ` On call: ${names.join(', ')}.`;
  return `${tool} pages ${cutAtWord(oneLine(clean(owner)), 80)} with the verdict, a link to this thread, and your name.${who}`;
}

export function renderPaged(
  isEnd: boolean,
  { owner, tool, by, failure }: { owner: string; tool: string; by: string; failure: string | null },
): Rendered {
  const whom = `${words(owner)} in ${words(tool)}`;
  if (failure !== null) {
    const why = quoted(failure.split(';')[0] ?? '', 300);
    return notice(
      isEnd
        ? `📟 The page of ${whom} could not be resolved: ${why}. Resolve it there.`
        : `📟 ${whom} could *not* be paged: ${why}. Nobody is woken; call them, or press *Page* again.`,
    );
  }
  return notice(
    isEnd ? `📟 The page of ${whom} was resolved with this issue.` : `📟 ${userMention(by)} paged ${whom}.`,
  );
}

/** The page is on its way, or was before, or cannot be. */
export function pageAnswered(how: 'new' | 'before' | 'unknown' | 'over'): Rendered {
  const sentences = {
    new: 'The page is on its way; the thread will say whether it arrived.',
    before:
      'They were paged about this before, so nobody is woken twice. The page is resolved with the issue.',
    unknown:
      'Nobody can be paged for this issue: `ONCALL` and the file of `OWNERS` (`page:` or `oncall:`) say who can.',
    over: 'This issue is over, so nobody was paged.',
  };
  return notice(sentences[how]);
}

/** The question is on its way, or was asked before. */
export function ownerAsked(channel: string, isNew: boolean): Rendered {
  return notice(
    isNew
      ? `The verdict goes to ${channelMention(channel)} with a link to the thread.`
      : `The owner was already asked in ${channelMention(channel)}; it is not posted again.`,
  );
}

/** Nobody can be asked. */
export function ownerNotAsked(why: 'unknown' | 'private' | 'early'): Rendered {
  const sentences = {
    unknown: 'No owner of this issue has a channel. Add one to the file that `OWNERS` names.',
    private: 'This issue is in a private channel, so it is not posted in another one.',
    early: 'There is no verdict yet. Ask the owner once the results are there.',
  };
  return notice(sentences[why]);
}

function words(text: string): string {
  return quoted(text, MAX_NAME);
}
