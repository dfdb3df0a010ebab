import type { ServiceOwner } from '../../../contract/schema.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { AgentContext } from '../../asking/agent-context.ts';
import { readLookingAt } from '../../asking/question.ts';
import type { Owners } from '../../owners/index.ts';
import type { Conversation } from '../../store/conversations.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { Question } from '../../store/questions.ts';
import type { MayRead } from '../access/may-read.ts';
import type { SlackUser, UserDirectory } from '../access/people.ts';
import type { Slack } from '../delivery/calls.ts';
import { classifySlackError } from '../errors.ts';
import { ownerViews } from '../messages/owners.ts';
import { slackTs } from '../timestamp.ts';
import { readFile } from './files.ts';
import { introduce, namingOf, type Participant } from './naming.ts';
import {
  DeadlineExceeded,
  mentionedIn,
  plainQuestion,
  talkOf,
  type Written,
  within,
  writtenBefore,
} from './thread.ts';

/**
 * The issue that somebody looks at while they ask in a direct message: that of the message which they have open, or the
 * newest open one of the channel. `null` if there is none, or where they may not see it.
 */
export async function lookedAt(
  { channel }: Pick<Conversation, 'channel'>,
  { lookingAt, asker }: Pick<Question, 'lookingAt' | 'asker'>,
  { store, mayRead }: { store: Store; mayRead: MayRead },
): Promise<Issue | null> {
  const looking = readLookingAt(lookingAt);
  if (looking === null || !channel.startsWith('D')) return null;
  const reader = { channel, person: asker };
  if (!(await mayRead(reader, looking))) return null;
  const issue =
    looking.messageTs === null
      ? await store.overview.newest(looking.channel)
      : await ofMessage(looking.channel, looking.messageTs, store);
  if (issue === null || issue.state !== 'created') return null;
  // A message may be part of an issue that lives in another channel.
  return (await mayRead(reader, issue)) ? issue : null;
}

async function ofMessage(
  channel: string,
  ts: string,
  { alerts, issues }: Pick<Store, 'alerts' | 'issues'>,
): Promise<Issue | null> {
  const living = await issues.byThread(channel, ts);
  if (living !== null) return living;
  const alert = await alerts.find(channel, ts);
  return alert === null || alert.issueId === null ? null : issues.get(alert.issueId);
}

const CONTEXT_TIMEOUT_MS = 3_000;
const MOST_MESSAGES = 30;
/** How many of the newest messages are looked at to find those. */
const MOST_LOOKED_AT = 100;
const MOST_REMEMBERED = 1_000;

export interface AgentContextOptions {
  slack: Slack;
  store: Store;
  mayRead: MayRead;
  people: UserDirectory;
  identity: { botUserId: string; botId: string };
  /** Opens the files that people attach. */
  botToken: string;
  apiUrl: string;
  shareThread: boolean;
  shareUserNames: boolean;
  owners?: Owners;
}

/**
 * What is read from Slack for the agent. What Slack does not give, or not within three seconds, is left out: the
 * question is asked without it.
 */
export function createAgentContext(options: AgentContextOptions): AgentContext {
  const { slack, people, identity, shareUserNames } = options;
  /** Who is called what in each conversation, so that they are called the same in its next question. */
  const remembered = new Map<string, Participant[]>();

  async function introduced(id: string, ids: readonly string[]): Promise<Participant[]> {
    const known = remembered.get(id) ?? [{ id: identity.botUserId, called: 'Gumshoe', names: [] }];
    const all = introduce(known, await whoAre(ids, people), shareUserNames);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(id, all);
    return all;
  }

  async function read(conversation: Conversation, question: Question, moment: string, root: string) {
    const { channel, id } = conversation;
    return within(CONTEXT_TIMEOUT_MS, slack.clock, async (deadline) => {
      const all = await writtenBefore(moment, { channel, root }, slack, identity, deadline);
      const answered = await answeredIn(conversation, options);
      const newest = all.filter(({ message }) => !answered.has(message.ts)).slice(-MOST_LOOKED_AT);
      const { kept, left } = await ours(newest, people);
      const mentioned = shareUserNames ? kept.flatMap(({ message }) => mentionedIn(message.text)) : [];
      const speakers = kept.flatMap(({ person }) => person ?? []);
      const participants = await introduced(id, [...speakers, question.asker, ...left, ...mentioned]);
      return talkOf(kept, namingOf(participants, !shareUserNames));
    });
  }

  return {
    talk: async (conversation, question) => {
      const { channel, threadTs: root } = conversation;
      const moment = momentOf(question, channel);
      if (!options.shareThread || root === null || root >= moment) return [];
      const count = (outcome: string) =>
        slack.metrics.count('gumshoe_agent_context_reads_total', { kind: 'thread', outcome });
      try {
        const talk = await read(conversation, question, moment, root);
        count('read');
        return talk;
      } catch (error) {
        const reason = error instanceof DeadlineExceeded ? error.message : classifySlackError(error).kind;
        slack.log.warn(
          { err: error, channel, thread: root, reason },
          'sending a question without its thread',
        );
        count(error instanceof DeadlineExceeded ? 'slow' : 'failed');
        return [];
      }
    },
    words: async ({ id }, { text, asker }) => {
      const mentioned = shareUserNames ? mentionedIn(text) : [];
      return plainQuestion(text, namingOf(await introduced(id, [asker, ...mentioned]), !shareUserNames));
    },
    lookedAt: (conversation, question) => lookedAt(conversation, question, options),
    owners: (conversation, question, issue) => ownersFor(conversation, question, issue, options),
    file: (file) => readFile(file, options),
  };
}

const MOST_OWNERS = 10;
const MAX_OWNER = 100;

/** People are named only where names are shared, and a channel only to who may read it. */
async function ownersFor(
  { channel: here }: Conversation,
  { text, asker }: Question,
  issue: Issue | null,
  options: AgentContextOptions,
): Promise<ServiceOwner[]> {
  const { owners, shareUserNames, mayRead } = options;
  const reader = here.startsWith('D') ? { channel: here, person: asker } : { channel: here };
  const ofIssue = issue === null ? [] : await ownerViews(issue, options);
  const named = await Promise.all(
    (owners?.namedIn(text) ?? []).slice(0, MOST_OWNERS).map(async ({ service, owner }) => ({
      ...owner,
      of: service,
      onCall: (await owners?.onCall(owner)) ?? null,
    })),
  );
  const words = (said: string) => cutAtWord(oneLine(said), MAX_OWNER);
  const all = [...ofIssue.map((view) => ({ ...view, of: view.of ?? issue?.service ?? null })), ...named];
  return Promise.all(
    all.map(async ({ of, name, channel, onCall }) => ({
      service: of === null ? null : words(of),
      name: words(name),
      channel: channel !== null && (await mayRead(reader, { channel })) ? channel : null,
      on_call: shareUserNames ? (onCall?.names ?? []).map(words) : [],
    })),
  );
}

/** Who people are, in the order given, without those of whom Slack does not tell. */
async function whoAre(
  ids: readonly string[],
  people: UserDirectory,
): Promise<{ id: string; somebody: SlackUser }[]> {
  const asked = [...new Set(ids)].map(async (id) => ({ id, somebody: await people.whoIs(id) }));
  const results = await Promise.allSettled(asked);
  return results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/**
 * The last messages that the agent may read. What people of other organizations wrote, and people of whom Slack
 * does not say where they belong, is left out.
 *
 * @returns besides, the ids of those people.
 */
async function ours(
  messages: readonly Written[],
  people: UserDirectory,
): Promise<{ kept: Written[]; left: string[] }> {
  const authors = [...new Set(messages.flatMap(({ person }) => person ?? []))];
  const isOurs = await Promise.all(
    authors.map((id) =>
      people.whoIs(id).then(
        ({ isExternal }) => !isExternal,
        () => false,
      ),
    ),
  );
  const left = new Set(authors.filter((_, at) => isOurs[at] !== true));
  const kept = messages.filter(({ person }) => person === null || !left.has(person));
  return { kept: kept.slice(-MOST_MESSAGES), left: [...left] };
}

/** The messages of a thread that are questions with an answer: they are sent to the agent as such. */
async function answeredIn(
  { id, channel }: Conversation,
  { store }: AgentContextOptions,
): Promise<Set<string>> {
  const answered = await store.questions.answered(id, MOST_LOOKED_AT);
  return new Set(answered.map((question) => question.id.replace(`${channel}:`, '')));
}

/** When a question was asked, as Slack's `ts`: that of its message, where it has one. */
function momentOf({ id, writtenAt, createdAt }: Question, channel: string): string {
  const ts = id.startsWith(`${channel}:`) ? id.slice(channel.length + 1) : '';
  return /^\d+\.\d+$/u.test(ts) ? ts : slackTs(writtenAt || createdAt);
}
