import type { Generated, Kysely } from 'kysely';
import type { Organization } from '../../lib/issue-number.ts';
import type { AuditTables } from './audit-tables.ts';
import type { OutboxKey } from './intents/keys.ts';
import type { ReplicasTables } from './replicas-tables.ts';
import type { ProgressTable, ResultsTable } from './results-tables.ts';
import type { SessionsTable } from './sessions-table.ts';
import type { WebhookTables } from './webhook-tables.ts';

/**
 * The tables as TypeScript sees them. Portable column types only (text, integer), times in milliseconds since the epoch,
 * JSON as text. Where a database knows no booleans, its dialect in `dialects/` stores them as 0 and 1.
 */
export interface Tables extends AuditTables, ReplicasTables, WebhookTables {
  inbox: InboxTable;
  outbox: OutboxTable;
  alerts: AlertsTable;
  issues: IssuesTable;
  results: ResultsTable;
  conversations: ConversationsTable;
  questions: QuestionsTable;
  channels: ChannelsTable;
  holds: HoldsTable;
  joins: JoinsTable;
  flags: FlagsTable;
  ticks: TicksTable;
  votes: VotesTable;
  digests: DigestsTable;
  artifacts: ArtifactsTable;
  files: FilesTable;
  troubles: TroublesTable;
  changes: ChangesTable;
  tombstones: TombstonesTable;
  acts: ActsTable;
  progress: ProgressTable;
  sessions: SessionsTable;
}

export type Database = Kysely<Tables>;

interface InboxTable {
  key: string;
  /** The delivery's body as JSON; emptied once handled. */
  body: string;
  receivedAt: number;
  attempts: number;
  nextAt: number;
  /** `open` until handled, then `done`; `dead` when given up. */
  state: 'open' | 'done' | 'dead';
  error: string | null;
  /** The replica that handles it; empty if there is only one. */
  owner: Generated<string>;
}

interface OutboxTable {
  key: OutboxKey;
  kind:
    | 'reaction'
    | 'card'
    | 'short_card'
    | 'result'
    | 'verdict'
    | 'answer'
    | 'aside'
    | 'notice'
    | 'held'
    | 'suggestion'
    | 'announcement'
    | 'digest'
    | 'file'
    | 'alert';
  issueId: string | null;
  questionId: string | null;
  channel: string;
  threadTs: string | null;
  payload: string;
  priority: number;
  /** Raised by each intent; edits coalesce to the newest. */
  wanted: number;
  done: number;
  /** `parked` while its channel cannot be posted in: due again once that is fixed. */
  state: 'due' | 'idle' | 'parked' | 'dead';
  nextAt: number;
  attempts: number;
  /** The messages posted so far, as JSON: `[{ ts, hash }]`. */
  sent: string;
  /** When it was last brought to Slack; 0 before the first time. */
  deliveredAt: Generated<number>;
  /** Which message is being posted right now: set before the call, so that a crash is noticed. */
  sending: number | null;
  error: string | null;
  createdAt: number;
}

interface AlertsTable {
  /** `<channel>:<ts>`. */
  id: string;
  channel: string;
  ts: string;
  decision: string;
  reason: string;
  kind: string;
  format: string;
  fingerprint: string | null;
  issueId: string | null;
  /** The parsed alert as JSON. */
  alert: string;
  decidedAt: number;
  /** What it counts for, after *Split off* and *Attach*; `null` for what is no alert. */
  identity: string | null;
  /** Tells alerts of one fingerprint apart. */
  detail: string | null;
  /** The thread that the message is in; `null` at top level. */
  threadTs: string | null;
  /** Who posted it, as people see it; `null` for a person. */
  sender: string | null;
  /** The hold that it was or is in. */
  holdId: string | null;
  /** What became of a held one; `null` while it waits. */
  outcome: 'filed' | 'joined' | 'recovered' | 'dismissed' | null;
}

interface IssuesTable {
  /** Our id: derived from what caused the issue; `gumshoe-<id>` is the reference in its description. */
  id: string;
  /** fingerprint and environment; `null` for a person's request. */
  identity: string | null;
  /** While a repeat joins this issue; unique per identity. */
  isOpen: boolean;
  /** `pending` until created at the service; `failed` for good; `gone` when it was deleted there. */
  state: 'pending' | 'created' | 'failed' | 'gone';
  /** The create request as JSON. */
  request: string;
  /**
   * Set before the create call: from then on the issue may exist at the service. 0 if an earlier life of the
   * program may have created it.
   */
  attemptedAt: number | null;
  attempts: number;
  nextAt: number;
  failure: string | null;
  uuid: string | null;
  number: number | null;
  status: string;
  statusSince: number;
  version: number;
  title: string;
  severity: string;
  environment: string;
  service: string | null;
  source: string | null;
  alertUrl: string | null;
  channel: string;
  /** Root of the thread that the issue lives in; `null` until the card of a command has been posted. */
  threadTs: string | null;
  requestedBy: string | null;
  repeats: number;
  lastRepeatAt: number | null;
  recoveredAt: number | null;
  investigatingSince: number;
  checkedAt: number;
  /** The newest version whose end has been told in Slack. */
  endedVersion: number;
  watched: boolean;
  lastAction: string | null;
  createdAt: number;
  /** The highest severity that a repeat stated, where it is above the issue's own. */
  raisedSeverity: string | null;
  /** The status before it was resolved or muted: what it returns to. */
  statusBefore: string | null;
  /** The status that the service is still to be told. */
  wantedStatus: string | null;
  /** The issue that the same alert had before, as JSON: `{ number, resolvedAt, rootCause }`. */
  earlier: string | null;
  /** What the tool last said about the alert, as JSON: `{ text, at }`. */
  note: string | null;
  /** Our id of the issue that this one was attached to. */
  joinedInto: string | null;
  /** Our id of the issue that this one was filed apart from. */
  apartFrom: string | null;
  /** When the mute ends; `null` if it does not, or is none. */
  mutedUntil: number | null;
  /** Repeats while muted. */
  hidden: Generated<number>;
  /** The status that we set at the service, for as long as it is there; `null` if somebody else set it. */
  ourStatus: string | null;
  /** The key in the outbox of the line that tells its channel that it waited for the service; `null` if it did not. */
  waitsIn: OutboxKey | null;
  /** The organisation of the service that it is created in: decided when it is filed, and never changed. */
  organization: Generated<Organization>;
}

interface ConversationsTable {
  id: string;
  channel: string;
  threadTs: string | null;
  conversationId: string | null;
  issueId: string | null;
  startedBy: string;
  createdAt: number;
  updatedAt: number;
  /** False after *Stop listening*: replies are people's own until somebody mentions the bot or presses *Ask*. */
  listening: Generated<boolean>;
  /** The organisation whose agent is asked: decided before its first question is sent; `null` until then. */
  organization: Generated<Organization | null>;
}

interface QuestionsTable {
  /** `<channel>:<ts>` of the message, or the id of the command that asked. */
  id: string;
  conversation: string;
  asker: string;
  text: string;
  /**
   * `stopped` when somebody stopped its answer, `failed` when it broke off or never began: what had arrived of it
   * stays in `answer`. `late` when it was written long before it could be taken: asked only if somebody wants it.
   */
  state: 'queued' | 'asking' | 'complete' | 'failed' | 'stopped' | 'late';
  answer: string;
  artifacts: string;
  note: string | null;
  createdAt: number;
  updatedAt: number;
  /** When the person wrote it; 0 for questions of an older version. */
  writtenAt: Generated<number>;
  /** When it was last sent to the service; `null` if it never was. */
  askedAt: Generated<number | null>;
  /** Slack's `ts` of what last had it asked, a message or a press of *Try again*; `null` if Slack gave none. */
  askedTs: string | null;
  /** What was attached to it, as JSON: `AskedFile[]`. */
  files: Generated<string>;
  /** Who wants its answer to end. */
  stoppedBy: Generated<string | null>;
  /** The key in the outbox of the line that offers to answer it, where it came late. */
  offer: Generated<OutboxKey | null>;
  /**
   * What was left out of its answer, since its readers may not see the issue that it is about: a `part`, `all`, or all for
   * what its `thread` asked before. `null` for nothing.
   */
  withheld: Generated<'part' | 'all' | 'thread' | null>;
  /** What its asker had open beside it, as JSON: `{ channel, messageTs }`; `null` if Slack did not say. */
  lookingAt: Generated<string | null>;
}

interface ChannelsTable {
  channel: string;
  watched: Generated<boolean>;
  /** `ChannelSettings` as JSON. */
  settings: Generated<string>;
  isPrivate: Generated<boolean>;
  seenTs: string | null;
  gapFrom: string | null;
  /** Patterns of the settings that are switched off, as a JSON array. */
  patternsOff: Generated<string>;
}

interface HoldsTable {
  id: string;
  channel: string;
  reason: 'storm' | 'budget' | 'day' | 'paused';
  /** `rolling` while alerts come in, then `quiet`, and `closed` once none waits any more. */
  state: 'rolling' | 'quiet' | 'closed';
  createdAt: number;
  lastAt: number;
  /** Who dismissed what waited in it; `null` if nobody did. */
  dismissedBy: string | null;
}

interface JoinsTable {
  identity: string;
  /** Empty for every alert of the identity. */
  detail: string;
  becomes: string;
}

interface FlagsTable {
  name: string;
  /** JSON. */
  value: string;
}

/** Steps of a remediation that somebody has done. */
interface TicksTable {
  issueId: string;
  /** What the step says, as a hash: the same step in a newer version stays ticked. */
  step: string;
  who: string;
  at: number;
}

interface VotesTable {
  /** What it is about, as `voteKey` writes it. */
  subject: string;
  who: string;
  /** 1 or -1. */
  value: number;
  channel: string;
  at: number;
}

interface DigestsTable {
  channel: string;
  /** `1` to `7` for Monday to Sunday, e.g. `12345`. */
  days: string;
  /** `HH:MM` in `zone`. */
  time: string;
  /** An IANA time zone. */
  zone: string;
  setBy: string;
  nextAt: number;
  lastAt: number | null;
}

/** Evidence that results or an answer refer to. */
interface ArtifactsTable {
  /** An issue's id, or `question:<id>`. */
  owner: string;
  id: string;
  /** `wanted` until fetched, then `kept`; `missing` where the service does not know it, `failed` when given up. */
  state: 'wanted' | 'kept' | 'missing' | 'failed';
  /** As the service gave it (contract 2.8), as JSON. */
  body: string | null;
  attempts: Generated<number>;
  nextAt: number;
  fetchedAt: number | null;
}

/** What is uploaded to Slack, before a message shows it. */
interface FilesTable {
  /** What it is, e.g. `graph:<issue>:<version>`; also in the file's title. */
  key: string;
  issueId: string | null;
  /** `wanted` until uploaded, `processing` until Slack can show it, then `ready`; `failed` when it never will. */
  state: 'wanted' | 'processing' | 'ready' | 'failed';
  /** What is drawn, as JSON; `null` for a file that is shared in a thread by the outbox. */
  what: string | null;
  /** The message that is edited once the file is ready: its key in the outbox. */
  shownBy: OutboxKey | null;
  fileId: string | null;
  /** What a picture shows, in words; untrusted. */
  alt: string | null;
  attempts: Generated<number>;
  nextAt: number;
  createdAt: number;
}

/** What does not work until somebody fixes it. */
interface TroublesTable {
  /** What is in trouble: `channel:<id>`, `scope:<name>`, `service:key`, `service:down`. */
  name: string;
  /** Slack's own name for it, or ours. */
  reason: string;
  since: number;
  /** What else is to be known of it, as JSON. */
  detail: string;
}

/** What people change at the service, each kept before the service hears of it. */
interface ActsTable {
  /** What was acted on: `issue:<uuid>`, `filing`, `step:<issue>:<step>`, … */
  subject: string;
  /** When it was done, as Slack says; `null` if Slack does not (a command). */
  ts: string | null;
  /** When its delivery came here. */
  receivedAt: number;
  who: string;
  what: string;
}

interface ChangesTable {
  /** What a press or a command causes. */
  cause: string;
  /** The version that its issue had then; 0 if it is none of ours. */
  version: number;
  /** Whether what came of it is stored. */
  recorded: Generated<boolean>;
  at: number;
}

/** Issues that are past their retention here, while the service still has them. */
interface TombstonesTable {
  uuid: string;
  number: number;
  /** Which organisation of the service has it. */
  organization: Organization;
  /** The channel that the issue belongs to. */
  channel: string;
  /** When the service was last seen to have it. */
  checkedAt: number;
}
