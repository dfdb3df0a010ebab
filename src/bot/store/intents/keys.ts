/**
 * The keys of intents in the outbox, and of pictures in `files`. They are stored, and posted with each message: their
 * shape never changes. `test/bot/store/intents/` pins each one.
 */

/** A message in Slack. */
interface Message {
  channel: string;
  ts: string;
}

/** What the key of a held batch's message begins with. */
export const HELD_PREFIX = 'held:';

export const cardKey = (issueId: string) => `card:${issueId}`;

export const shortCardKey = (issueId: string, { channel, ts }: Message) =>
  `short:${issueId}:${channel}:${ts}`;

export const suggestionKey = ({ channel, ts }: Message) => `suggestion:${channel}:${ts}`;

export const eyesKey = ({ channel, ts }: Message) => `reaction:${channel}:${ts}:eyes`;

export const heldKey = (holdId: string) => `${HELD_PREFIX}${holdId}`;

export const resultKey = (issueId: string, version: number) => `result:${issueId}:${version}`;

export const verdictKey = (shortCard: string, version: number) => `verdict:${shortCard}:${version}`;

/** An investigation ended without results. */
export const endedKey = (issueId: string, version: number) => `notice:ended:${issueId}:${version}`;

/** An investigation takes long. */
export const slowKey = (issueId: string, version: number) => `notice:slow:${issueId}:${version}`;

/** Questions can be asked in the thread; `triggerId` where that is said once more. */
export const askHereKey = (conversationId: string, triggerId: string | null = null) =>
  `notice:ask:${conversationId}${triggerId === null ? '' : `:${triggerId}`}`;

export const answerKey = (questionId: string) => `answer:${questionId}`;

/** The offer to answer questions that came late, named after the first of them. */
export const lateKey = (questionId: string) => `late:${questionId}`;

export const notListeningKey = (cause: string) => `not_listening:${cause}`;

/** The digest that is due at a moment. */
export const digestKey = (channel: string, due: number) => `digest:${channel}:${due}`;

/** A digest that somebody asked for. */
export const digestNowKey = (channel: string, cause: string) => `digest:${channel}:now:${cause}`;

export const resultsFileKey = (issueId: string, version: number) => `file:results:${issueId}:${version}`;

/** The file with the raw JSON of a piece of evidence; `owner` as in the store's artifacts. */
export const rawJsonKey = (owner: string, id: string) => `file:artifact:${owner}:${id}`;

/** A change that `cause` made; `channel` where it is announced in several. */
export const announcementKey = (cause: string, channel: string | null = null) =>
  `announcement:${cause}${channel === null ? '' : `:${channel}`}`;

export const patternOffKey = (channel: string, patternHash: string, at: number) =>
  `announcement:pattern-off:${channel}:${patternHash}:${at}`;

export const backfilledKey = (channel: string, gapFrom: string) => `backfilled:${channel}:${gapFrom}`;

/** What the keys of the messages about a blocker begin with; each ends in the person who is told. */
export const troublePrefix = ({ name, since }: { name: string; since: number }) =>
  `trouble:${name}:${since}:`;

export const unreadableKey = (channel: string, threadTs: string | null) =>
  `unreadable:${channel}:${threadTs ?? ''}`;

/** The line of a channel whose alerts wait for the service, named after the first issue that waits. */
export const waitingKey = (issueId: string) => `waiting:${issueId}`;

/** The picture of a version's causal graph. */
export const graphKey = (issueId: string, version: number) => `graph:${issueId}:${version}`;

/** What the keys of an owner's charts begin with. */
export const chartPrefix = (owner: string) => `chart:${owner}:`;

/** The chart of a metric; `owner` as in the store's artifacts. */
export const chartKey = (owner: string, artifactId: string) => `${chartPrefix(owner)}${artifactId}`;

/** Whether a picture's key is one of those. */
export const isChartKey = (key: string) => key.startsWith('chart:');
