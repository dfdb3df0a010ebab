import { setImmediate as turn } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { contentOf, isAuthored, isPerson, SlackMessage, senderOf } from '../../alerts/message.ts';
import { parseAlert } from '../../alerts/parse.ts';
import { plainText, unescaped } from '../../alerts/slack-text.ts';
import { isoTimestamp } from '../../alerts/timestamps.ts';
import type { ThreadMessage } from '../../asking/agent-context.ts';
import { call, type Slack, TooEarly } from '../delivery/calls.ts';
import type { Call } from '../delivery/pace.ts';
import { classifySlackError } from '../errors.ts';
import { isOwn } from '../listening/messages.ts';
import type { Naming } from './naming.ts';

const AGAIN_MS = 500;

/** Slack did not give it soon enough: a question does not wait longer for what goes with it. */
export class DeadlineExceeded extends Error {
  override name = 'TooSlow';
}

interface Deadline {
  /** Milliseconds since the epoch. */
  until: number;
  signal: AbortSignal;
}

/**
 * Gives work so many milliseconds.
 *
 * @throws TooSlow when they are over; what the work throws.
 */
export async function within<T>(
  ms: number,
  clock: Clock,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const { signal } = ended;
  const tooLate = clock.sleep(ms, signal).then(() => {
    throw new DeadlineExceeded(`Slack took longer than ${ms / 1000} s`);
  });
  try {
    return await Promise.race([work({ until: clock.now() + ms, signal }), tooLate]);
  } finally {
    ended.abort();
  }
}

/**
 * Makes a call within Slack's pace, and again after a passing failure, as long as the deadline allows.
 *
 * @throws TooSlow at once if Slack's pace would not allow it in time; what Slack refuses.
 */
async function askSlack<T>(
  slack: Slack,
  which: Call,
  make: (client: WebClient) => Promise<T>,
  { until, signal }: Deadline,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call(slack, which, make);
    } catch (error) {
      const now = slack.clock.now();
      const again = error instanceof TooEarly ? error.until : now + AGAIN_MS;
      if (!(error instanceof TooEarly) && classifySlackError(error).kind === 'refused') throw error;
      if (again >= until)
        throw new DeadlineExceeded(`Slack does not accept ${which.method} now`, { cause: error });
      await slack.clock.sleep(again - now, signal);
    }
  }
}

/** What the Web API gives at once, and how often it is asked. */
const PAGE = 200;
const MOST_PAGES = 10;
/** So many messages are read before anything else has its turn. */
const AT_ONCE = 10;

const Page = z.object({
  messages: z.array(z.unknown()).catch([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const WithFiles = z.object({ files: z.array(z.object({ name: z.string().catch('a file') })).catch([]) });

export interface Written {
  message: SlackMessage;
  /** The id of the person who wrote it; `null` for a tool. */
  person: string | null;
  files: string[];
}

/**
 * What people and tools wrote in a thread before a moment, oldest first; without Slack's notices, deleted messages and
 * our own.
 *
 * @throws TooSlow also for a thread of more than 2,000 messages; what Slack refuses.
 */
export async function writtenBefore(
  moment: string,
  { channel, root }: { channel: string; root: string },
  slack: Slack,
  identity: { botUserId: string; botId: string },
  deadline: Deadline,
): Promise<Written[]> {
  const found: Written[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const range = { channel, ts: root, latest: moment, limit: PAGE, ...(cursor ? { cursor } : {}) };
    const which = { method: 'conversations.replies', channel } as const;
    const answer = await askSlack(slack, which, (client) => client.conversations.replies(range), deadline);
    const { messages, response_metadata } = Page.parse(answer);
    for (const [index, raw] of messages.entries()) {
      if (index % AT_ONCE === 0) await turn();
      found.push(...read(raw, moment, identity));
    }
    cursor = response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return found.sort((a, b) => (a.message.ts < b.message.ts ? -1 : 1));
  }
  throw new DeadlineExceeded(`the thread has more than ${PAGE * MOST_PAGES} messages`);
}

function read(raw: unknown, moment: string, identity: { botUserId: string; botId: string }): Written[] {
  const message = SlackMessage.safeParse(raw).data;
  if (message === undefined || message.ts >= moment || !isAuthored(message)) return [];
  if (isOwn(message, identity)) return [];
  const files = WithFiles.safeParse(raw).data?.files.map(({ name }) => name) ?? [];
  return [{ message, person: isPerson(message) ? message.user : null, files }];
}

const ANGLED = /<([^<>\n]*)>/gu;
const SCHEME = /^[a-z][a-z\d+.-]{1,20}:\S+$/iu;
/** Every control character but tab and newline. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

/** The ids of the people whom a text mentions, each once. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(/<@([UW]\w+)/gu)].map(([, id = '']) => id))];
}

/**
 * A message's mrkdwn as plain words: mentions are named, a link is `label (url)` or its url, and a channel has
 * no name, which Slack would give of a private one, too.
 */
function plainWords(mrkdwn: string, naming: Naming): string {
  return inWords(mrkdwn, naming, (text) => naming.scrub(unescaped(text)));
}

/** The same of a text that is unescaped already, in which a person may have written `<` for themselves. */
export function plainQuestion(text: string, naming: Naming): string {
  return inWords(text, naming, naming.scrub);
}

function inWords(text: string, naming: Naming, plain: (words: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(ANGLED)) {
    const meaning = meaningOf(match[1] ?? '', naming, plain);
    if (meaning === null) continue;
    parts.push(plain(text.slice(from, match.index)), meaning);
    from = match.index + match[0].length;
  }
  return [...parts, plain(text.slice(from))].join('').replace(CONTROL, '').toWellFormed().trim();
}

/** The text between `<` and `>`, in words; `null` if Slack means nothing by it. */
function meaningOf(inside: string, naming: Naming, plain: (words: string) => string): string | null {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? '' : plain(inside.slice(bar + 1));
  const person = /^@([UW]\w+)$/u.exec(target)?.[1];
  if (person !== undefined) return naming.of(person);
  // A private channel's name is for its members.
  if (/^#[CG]\w*$/u.test(target)) return 'a channel';
  if (/^!(?:here|channel|everyone)$/u.test(target)) return `@${target.slice(1)}`;
  if (target.startsWith('!subteam^')) return label || '@a group';
  if (target.startsWith('!date^')) return isoTimestamp(Number(target.split('^')[1]) * 1000) ?? label;
  if (/^!\w/u.test(target)) return label;
  if (!SCHEME.test(target)) return null;
  if (/^(?:mailto|tel):/iu.test(target)) return naming.nameless ? reduced(target) : label || target;
  const url = plain(target);
  return label === '' || url.endsWith(label) ? url : `${label} (${url})`;
}

function reduced(target: string): string {
  return /^mailto:/iu.test(target) ? 'an email address' : 'a telephone number';
}

/** In UTF-16 units: of a tool's message, of a person's, and of the whole. */
const MAX_NOTICE = 300;
const MAX_WORDS = 2_000;
const MAX_TALK = 12_000;

/**
 * What was said, in a size that leaves room for the question: of more than that, the newest. Each message may be as long
 * as Slack takes them: others have their turn between two.
 */
export async function talkOf(messages: readonly Written[], naming: Naming): Promise<ThreadMessage[]> {
  const kept: ThreadMessage[] = [];
  let size = 0;
  for (const message of [...messages].reverse()) {
    await turn();
    const spoken = spokenBy(message, naming);
    if (spoken.text === '') continue;
    size += spoken.text.length;
    if (size > MAX_TALK) break;
    kept.unshift(spoken);
  }
  return kept;
}

function spokenBy({ message, person, files }: Written, naming: Naming): ThreadMessage {
  if (person === null) {
    const title = parseAlert(message).title ?? oneLine(plainText(contentOf(message).body));
    const speaker = naming.scrub(senderOf(message) ?? 'A tool');
    return { speaker, text: cutAtWord(oneLine(naming.scrub(title)), MAX_NOTICE) };
  }
  const words = plainWords(contentOf(message).body, naming);
  // Blank lines separate what is sent to the agent: none within what somebody said.
  const lines = words.split('\n').flatMap((line) => line.trimEnd() || []);
  const attached = files.map((name) => `[attached: ${oneLine(naming.scrub(name))}]`);
  return {
    speaker: naming.of(person),
    text: cutAtWord([...lines, ...attached].join('\n'), MAX_WORDS),
  };
}
