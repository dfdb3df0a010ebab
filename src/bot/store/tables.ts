import type { Generated, Kysely } from 'kysely';
import type { Organization } from '../../contract/client/client.ts';
import type { OutboxKey } from './intents/keys.ts';

/**
 * The tables as TypeScript sees them. Portable column types only (text, integer), times in milliseconds since the
 * epoch, JSON as text. For databases without booleans, the dialect in `dialects/` stores them as 0 and 1.
 */
export interface Tables {
  inbox: InboxTable;
  webhooks: WebhooksTable;
  receivedAlerts: ReceivedAlertsTable;
  outbox: OutboxTable;
  alerts: AlertsTable;
  issues: IssuesTable;
  results: ResultsTable;
  conversations: ConversationsTable;
  questions: QuestionsTable;
  channels: ChannelsTable;
  holds: HoldsTable;
  identityOverrides: IdentityOverridesTable;
  flags: FlagsTable;
  checklistSteps: ChecklistStepsTable;
  notes: NotesTable;
  tickets: TicketsTable;
  verdicts: VerdictsTable;
  votes: VotesTable;
  digests: DigestsTable;
  artifacts: ArtifactsTable;
  files: FilesTable;
  blockers: BlockersTable;
  changes: ChangesTable;
  tombstones: TombstonesTable;
  acts: ActsTable;
  progress: ProgressTable;
  sessions: SessionsTable;
  senderMessages: SenderMessagesTable;
  silences: SilencesTable;
  audit: AuditTable;
  replicas: ReplicasTable;
  leases: LeasesTable;
  allowances: AllowancesTable;
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
    | 'sign'
    | 'alert';
  issueId: string | null;
  questionId: string | null;
  channel: string;
  threadTs: string | null;
  payload: string;
  priority: number;
  /** Incremented by each intent; edits coalesce to the newest. */
  wanted: number;
  done: number;
  /** `parked` while its channel cannot be posted in: due again once that is fixed. */
  state: 'due' | 'idle' | 'parked' | 'dead';
  nextAt: number;
  attempts: number;
  /** The messages posted so far, as JSON: `[{ ts, hash }]`. */
  sent: string;
  /** When it last reached Slack; 0 before the first time. */
  deliveredAt: Generated<number>;
  /** Which message is being posted right now: set before the call, to detect a crash. */
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
  /** What it counts as, after *These are two problems* and *Attach*; `null` if it is not an alert. */
  identity: string | null;
  /** Distinguishes alerts of one fingerprint. */
  detail: string | null;
  /** The message's thread; `null` at top level. */
  threadTs: string | null;
  /** The display name of its sender; `null` for a person. */
  sender: string | null;
  /** The hold that it was or is in. */
  holdId: string | null;
  /** The outcome of a held alert; `null` while it waits. */
  outcome: 'filed' | 'joined' | 'recovered' | 'dismissed' | null;
}

interface IssuesTable {
  /** Our id, derived from the issue's cause; `gumshoe-<id>` is the reference in its description. */
  id: string;
  /** fingerprint and environment; `null` for a person's request. */
  identity: string | null;
  /** True while repeats join this issue; unique per identity. */
  isOpen: boolean;
  /** `pending` until created at the service; `failed` for good; `gone` when it was deleted there. */
  state: 'pending' | 'created' | 'failed' | 'gone';
  /** The create request as JSON. */
  request: string;
  /**
   * Set before the create call: from then on the issue may exist at the service. 0 if it may have been created before a
   * restart.
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
  /** Root of the issue's thread; `null` until the card of a command has been posted. */
  threadTs: string | null;
  requestedBy: string | null;
  repeats: number;
  lastRepeatAt: number | null;
  recoveredAt: number | null;
  investigatingSince: number;
  checkedAt: number;
  /** The newest version whose end was announced in Slack. */
  endedVersion: number;
  watched: boolean;
  lastAction: string | null;
  createdAt: number;
  /** The highest severity stated by a repeat, if above the issue's own. */
  raisedSeverity: string | null;
  /** The status to return to, from before it was resolved or muted. */
  statusBefore: string | null;
  /** The status still to be sent to the service. */
  wantedStatus: string | null;
  /** The previous issue of the same alert, as JSON: `{ number, resolvedAt, rootCause }`. */
  earlier: string | null;
  /** What the tool last said about the alert, as JSON: `{ text, at }`. */
  note: string | null;
  joinedInto: string | null;
  /** Our id of the issue that this one was split off from. */
  apartFrom: string | null;
  /** Kind and place of the cause that its last investigation found, as text to compare; `null` if it found none. */
  cause: string | null;
  /** Our id of the issue that leads the incident which this one is a symptom of. */
  symptomOf: string | null;
  /** When the mute ends; `null` if it does not end, or there is no mute. */
  mutedUntil: number | null;
  /** Repeats while muted. */
  hidden: Generated<number>;
  /** The status we set at the service, while it is current; `null` if somebody else set it. */
  ourStatus: string | null;
  /** The outbox key of the line saying that it waited for the service; `null` if it did not. */
  waitsIn: OutboxKey | null;
  /** The service organization it is created in: decided at filing, never changed. */
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
  /** False after *Stop listening*: replies are private talk until somebody mentions the bot or presses *Ask*. */
  listening: Generated<boolean>;
  /** The organization whose agent is asked; `null` until decided, before its first question is sent. */
  organization: Generated<Organization | null>;
}

interface QuestionsTable {
  /** `<channel>:<ts>` of the message, or the id of the command that asked. */
  id: string;
  conversation: string;
  asker: string;
  text: string;
  /**
   * `stopped` if somebody stopped its answer, `failed` if it broke off or never began: `answer` keeps what had arrived.
   * `late` if it was too old when received: asked only if somebody wants it.
   */
  state: 'queued' | 'asking' | 'complete' | 'failed' | 'stopped' | 'late';
  answer: string;
  artifacts: string;
  note: string | null;
  createdAt: number;
  updatedAt: number;
  /** When the person wrote it. */
  writtenAt: Generated<number>;
  /** When it was last sent to the service; `null` if never. */
  askedAt: Generated<number | null>;
  /** Slack's `ts` of the message or *Try again* press that last asked it; `null` if Slack gave none. */
  askedTs: string | null;
  /** Its attachments as JSON: `AskedFile[]`. */
  files: Generated<string>;
  /** Who wants its answer to stop. */
  stoppedBy: Generated<string | null>;
  /** The outbox key of the line that offers to answer it, if it came late. */
  offer: Generated<OutboxKey | null>;
  /** What its asker was looking at, as JSON: `{ channel, messageTs }`; `null` if Slack did not say. */
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
}

interface HoldsTable {
  id: string;
  channel: string;
  reason: 'storm' | 'budget' | 'day' | 'paused' | 'planned';
  /** `rolling` while alerts come in, then `quiet`, and `closed` once none is waiting. */
  state: 'rolling' | 'quiet' | 'closed';
  createdAt: number;
  lastAt: number;
  /** Who dismissed the waiting alerts; `null` if nobody did. */
  dismissedBy: string | null;
}

interface IdentityOverridesTable {
  identity: string;
  /** Empty means every alert of the identity. */
  detail: string;
  becomes: string;
}

interface FlagsTable {
  name: string;
  /** JSON. */
  value: string;
}

interface ChecklistStepsTable {
  issueId: string;
  /** A hash of the step's text: the same step in a newer version stays done. */
  step: string;
  who: string;
  at: number;
}

/** What people wrote down about an issue. */
interface NotesTable {
  issueId: string;
  /** Within the issue, from 1; never given twice unless the last one was deleted. */
  number: number;
  who: string;
  text: string;
  at: number;
  /** When its author last changed it. */
  editedAt: number | null;
  /** The message or command that wrote it. */
  cause: string;
}

interface TicketsTable {
  issueId: string;
  /** `wanted` until it is made; `failed` where the tracker refuses it for good; `gone` where it no longer has it. */
  state: 'wanted' | 'made' | 'failed' | 'gone';
  wantedBy: string;
  /** Before that there is no ticket. */
  wantedAt: number;
  /** When a create was last sent that may have succeeded without an answer; `null` if there is none. */
  sentAt: number | null;
  /** As the tracker calls it. */
  key: string | null;
  url: string | null;
  /** In the tracker's words, when it was last looked at. */
  status: string | null;
  /** What its comments last said of the issue, and how many firings they have counted. */
  said: 'open' | 'resolved';
  saidRepeats: number;
  /** No comment about a firing before. */
  quietUntil: number;
  /** The comment that is being made, as JSON: stored before it is sent. */
  saying: string | null;
  attempts: number;
  nextAt: number;
  /** Why the last attempt failed, in words. */
  failure: string | null;
}

interface VerdictsTable {
  issueId: string;
  version: number;
  /** The issue's. */
  channel: string;
  /** When it was announced. */
  at: number;
  /** As the investigation gives it, in lower case; and as it was shown, which the record may have lowered. */
  confidence: string;
  shown: string;
  /** What kind of cause it names: `bad deploy`; `null` if it says none. */
  kind: string | null;
  /** What a person answered to *was it that?* (`Said`). */
  said: string | null;
  saidBy: string | null;
  saidAt: number | null;
  /** What the next minutes will show if it is right, as JSON; `null` if nothing would. */
  expects: string | null;
  /** When to look whether it did; `null` if not yet, or no more. */
  checkAt: number | null;
  /** `came_true` or `did_not`. */
  outcome: string | null;
  outcomeAt: number | null;
}

interface VotesTable {
  /** Its subject, as written by `voteKey`. */
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
  nextAt: number;
  lastAt: number | null;
}

/** Evidence referred to by results or an answer. */
interface ArtifactsTable {
  /** An issue's id, or `question:<id>`. */
  owner: string;
  id: string;
  /** `wanted` until fetched, then `kept`; `missing` if the service does not have it, `failed` when given up. */
  state: 'wanted' | 'kept' | 'missing' | 'failed';
  /** As the service sent it (contract 2.8), as JSON. */
  body: string | null;
  attempts: Generated<number>;
  nextAt: number;
  fetchedAt: number | null;
}

/** Uploads to Slack. */
interface FilesTable {
  /** That of the intent in the outbox; also in the file's title. */
  key: string;
  issueId: string | null;
  /** `processing` until it is known to be in the thread; the others were of pictures, as were the next two columns and `alt`. */
  state: 'wanted' | 'processing' | 'ready' | 'failed';
  what: string | null;
  shownBy: OutboxKey | null;
  fileId: string | null;
  alt: string | null;
  attempts: Generated<number>;
  nextAt: number;
  createdAt: number;
}

/** Things that do not work until somebody fixes them. */
interface BlockersTable {
  /** What does not work: `channel:<id>`, `scope:<name>`, `service:key`, `service:down`. */
  name: string;
  /** Slack's name for it, or ours. */
  reason: string;
  since: number;
  /** Further details as JSON. */
  detail: string;
}

/** What people change at the service, each stored before it is sent. */
interface ActsTable {
  /** What was acted on: `issue:<uuid>`, `filing`, `step:<issue>:<step>`, … */
  subject: string;
  /** When it was done, according to Slack; `null` if Slack does not say (a command). */
  ts: string | null;
  /** When its delivery arrived. */
  receivedAt: number;
  who: string;
  what: string;
}

interface ChangesTable {
  /** The press or command behind it. */
  cause: string;
  /** The issue's version at that time; 0 if the issue is not ours. */
  version: number;
  /** Whether its outcome is stored. */
  recorded: Generated<boolean>;
  at: number;
}

/** Issues past their retention here that still exist at the service. */
interface TombstonesTable {
  uuid: string;
  number: number;
  /** The service organization that has it. */
  organization: Organization;
  /** The channel that the issue belongs to. */
  channel: string;
  /** When the service was last seen to have it. */
  checkedAt: number;
}

/** A request with alerts from a monitoring tool, as it arrived. */
interface WebhooksTable {
  id: string;
  source: string;
  /** SHA-256 of the body, in hexadecimal digits. */
  digest: string;
  /** Emptied once it is handled. */
  body: string;
  /** The headers that describe the payload, as JSON. */
  headers: string;
  receivedAt: number;
  attempts: number;
  nextAt: number;
  /** `dead` when given up. */
  state: 'open' | 'done' | 'dead';
  error: string | null;
}

interface ReceivedAlertsTable {
  /** The webhook's id, and the alert's place in it. */
  id: string;
  source: string;
  /** What people call the tool. */
  tool: string;
  /** What it counts as; `null` if it is not about an alert. */
  identity: string | null;
  /** The alert with its labels and links, as JSON. */
  reading: string;
  /**
   * `waiting`: for a route, or, with a channel, for its members' consent; `decided`: it has, or is to get, a message, or is
   * held; `noted`: it has none. Release 1.1 stored those that wait as `unrouted`, `posting` and `posted`.
   */
  state: 'waiting' | 'decided' | 'noted' | 'unrouted' | 'posting' | 'posted';
  channel: string | null;
  /** Of its message, or a placeholder until it is posted; before 1.1 none was stored. */
  ts: string | null;
  /** When it recovered. */
  overAt: number | null;
  receivedAt: number;
  nextAt: number;
  attempts: number;
}

/** What is kept of a message of a tool that no format knows, to learn how its sender writes. */
interface SenderMessagesTable {
  channel: string;
  ts: string;
  /** As a basis has it: the channel, and the sender's names. */
  sender: string;
  /** An `Observation` as JSON. */
  observation: string;
  /** When the message was written. */
  at: number;
}

/** An Alertmanager silence that Gumshoe has made, or is about to make. */
interface SilencesTable {
  /** The issue, and a hash of the labels. */
  key: string;
  issueId: string;
  /** The Alertmanager's id; `null` until it has answered. */
  silenceId: string | null;
  until: number;
}

interface ResultsTable {
  issueId: string;
  version: number;
  body: string;
  fetchedAt: number;
}

/** The progress of an investigation that somebody asked for. */
interface ProgressTable {
  issueId: string;
  /** `FoundSoFar` as JSON. */
  found: string;
}

/** What Slack last received about an agent session; sessions belong to threads. */
interface SessionsTable {
  channel: string;
  threadTs: string;
  /** What Slack shows, or is about to show. */
  status: 'processing' | 'suspended' | 'active' | 'closed';
  /** Set before the call to Slack, until it has answered. */
  pending: Generated<boolean>;
  notifiedAt: number;
  /** Whether it has a title. */
  named: Generated<boolean>;
  /** When somebody last pressed Slack's stop button, by Slack's clock in milliseconds. */
  stoppedAt: number | null;
}

interface AuditTable {
  id: string;
  at: number;
  who: string;
  what: string;
  issueId: string | null;
  /** The channel whose settings were changed. */
  channel: string | null;
}

/** The processes that share one database. */
interface ReplicasTable {
  id: string;
  /** By the database's clock. */
  seenAt: number;
  leads: boolean;
  /** Its status as JSON, while it leads. */
  status: string | null;
}

/** Work that only one replica at a time may do, by key. */
interface LeasesTable {
  key: string;
  /** A new value each time it is taken. */
  owner: string;
  /** By the database's clock. */
  until: number;
}

/** How often something happened within one minute, over all replicas. */
interface AllowancesTable {
  key: string;
  /** Minutes since the epoch, by the database's clock. */
  minute: number;
  count: number;
}
