import type { Generated, Kysely } from 'kysely';
import type { Organization } from '../../lib/issue-number.ts';

/**
 * The tables as TypeScript sees them. Portable column types only (text, integer), times in milliseconds
 * since the epoch, booleans as 0 and 1, JSON as text; so a second dialect is one more file in `dialects/`.
 */
export interface Tables {
  inbox: InboxTable;
  outbox: OutboxTable;
  alerts: AlertsTable;
  issues: IssuesTable;
  results: ResultsTable;
  conversations: ConversationsTable;
  questions: QuestionsTable;
  audit: AuditTable;
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
}

export type Database = Kysely<Tables>;

interface InboxTable {
  key: string;
  /** The delivery's body as JSON; emptied once handled. */
  body: string;
  received_at: number;
  attempts: number;
  next_at: number;
  /** `open` until handled, then `done`; `dead` when given up. */
  state: 'open' | 'done' | 'dead';
  error: string | null;
}

interface OutboxTable {
  key: string;
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
    | 'file';
  issue_id: string | null;
  question_id: string | null;
  channel: string;
  thread_ts: string | null;
  payload: string;
  priority: number;
  /** Raised by each intent; edits coalesce to the newest. */
  wanted: number;
  done: number;
  /** `parked` while its channel cannot be posted in: due again once that is mended. */
  state: 'due' | 'idle' | 'parked' | 'dead';
  next_at: number;
  attempts: number;
  /** The messages posted so far, as JSON: `[{ ts, hash }]`. */
  sent: string;
  /** When it was last brought to Slack; 0 before the first time. */
  delivered_at: Generated<number>;
  /** Which message is being posted right now: set before the call, so that a crash is noticed. */
  sending: number | null;
  error: string | null;
  created_at: number;
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
  issue_id: string | null;
  /** The parsed alert as JSON. */
  alert: string;
  decided_at: number;
  /** What it counts for, after *Split off* and *Attach*; `null` for what is no alert. */
  identity: string | null;
  /** Tells alerts of one fingerprint apart. */
  detail: string | null;
  /** The thread that the message stands in; `null` at top level. */
  thread_ts: string | null;
  /** Who posted it, as people see it; `null` for a person. */
  sender: string | null;
  /** The hold that it was or is in. */
  hold_id: string | null;
  /** What became of a held one; `null` while it waits. */
  outcome: 'filed' | 'joined' | 'recovered' | 'dismissed' | null;
}

interface IssuesTable {
  /** Our id: derived from what caused the issue; `gumshoe-<id>` is the reference in its description. */
  id: string;
  /** fingerprint and environment; `null` for a person's request. */
  identity: string | null;
  /** 1 while a repeat joins this issue; unique per identity. */
  is_open: number;
  /** `pending` until created at the service; `failed` for good; `gone` when it was deleted there. */
  state: 'pending' | 'created' | 'failed' | 'gone';
  /** The create request as JSON. */
  request: string;
  /**
   * Set before the create call: from then on the issue may exist at the service. 0 where an earlier life of the
   * program may have created it.
   */
  attempted_at: number | null;
  attempts: number;
  next_at: number;
  failure: string | null;
  uuid: string | null;
  number: number | null;
  status: string;
  status_since: number;
  version: number;
  title: string;
  severity: string;
  environment: string;
  service: string | null;
  source: string | null;
  alert_url: string | null;
  channel: string;
  /** Root of the thread that the issue lives in; `null` until the card of a command has been posted. */
  thread_ts: string | null;
  requested_by: string | null;
  repeats: number;
  last_repeat_at: number | null;
  recovered_at: number | null;
  investigating_since: number;
  checked_at: number;
  /** The newest version whose end has been told in Slack. */
  ended_version: number;
  watched: number;
  last_action: string | null;
  created_at: number;
  /** The highest severity that a repeat stated, where it is above the issue's own. */
  raised_severity: string | null;
  /** The status before it was resolved or muted: what it returns to. */
  status_before: string | null;
  /** The status that the service is still to be told. */
  wanted_status: string | null;
  /** The issue that the same alert had before, as JSON: `{ number, resolvedAt, rootCause }`. */
  earlier: string | null;
  /** What the tool last said about the alert, as JSON: `{ text, at }`. */
  note: string | null;
  /** Our id of the issue that this one was attached to. */
  joined_into: string | null;
  /** Our id of the issue that this one was filed apart from. */
  apart_from: string | null;
  /** When the mute ends; `null` where it does not, or is none. */
  muted_until: number | null;
  /** Repeats while muted. */
  hidden: Generated<number>;
  /** The status that we set at the service, for as long as it stands there; `null` where somebody else set it. */
  our_status: string | null;
  /** The key in the outbox of the line that tells its channel that it waited for the service; `null` where it did not. */
  waits_in: string | null;
  /** The organisation of the service that it is created in: decided when it is filed, and never changed. */
  organization: Generated<Organization>;
}

interface ResultsTable {
  issue_id: string;
  version: number;
  body: string;
  fetched_at: number;
}

interface ConversationsTable {
  id: string;
  channel: string;
  thread_ts: string | null;
  conversation_id: string | null;
  issue_id: string | null;
  started_by: string;
  created_at: number;
  updated_at: number;
  /** 0 after *Stop listening*: replies are people's own until somebody mentions the bot or presses *Ask*. */
  listening: Generated<number>;
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
  created_at: number;
  updated_at: number;
  /** When the person wrote it; 0 for questions of an older version. */
  written_at: Generated<number>;
  /** When it was last sent to the service; `null` where it never was. */
  asked_at: Generated<number | null>;
  /** Slack's `ts` of what last had it asked, a message or a press of *Try again*; `null` where Slack gave none. */
  asked_ts: string | null;
  /** What was attached to it, as JSON: `AskedFile[]`. */
  files: Generated<string>;
  /** Who wants its answer to end. */
  stopped_by: Generated<string | null>;
  /** The key in the outbox of the line that offers to answer it, where it came late. */
  offer: Generated<string | null>;
  /**
   * What was left out of its answer, since its readers may not see the issue that it is about: a `part`, `all`, or all for
   * what its `thread` asked before. `null` for nothing.
   */
  withheld: Generated<'part' | 'all' | 'thread' | null>;
}

interface AuditTable {
  id: string;
  at: number;
  who: string;
  what: string;
  issue_id: string | null;
  /** The channel whose settings were changed. */
  channel: string | null;
}

interface ChannelsTable {
  channel: string;
  watched: Generated<number>;
  /** `ChannelSettings` as JSON. */
  settings: Generated<string>;
  is_private: Generated<number>;
  seen_ts: string | null;
  gap_from: string | null;
  /** Patterns of the settings that are switched off, as a JSON array. */
  patterns_off: Generated<string>;
}

interface HoldsTable {
  id: string;
  channel: string;
  reason: 'storm' | 'budget' | 'day' | 'paused';
  /** `rolling` while alerts come in, then `quiet`, and `closed` once none waits any more. */
  state: 'rolling' | 'quiet' | 'closed';
  created_at: number;
  last_at: number;
  /** Who dismissed what waited in it; `null` where nobody did. */
  dismissed_by: string | null;
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
  issue_id: string;
  /** What the step says, as a hash: the same step in a newer version stays ticked. */
  step: string;
  who: string;
  at: number;
}

interface VotesTable {
  /** `result:<issue>:<version>` or `answer:<question>`. */
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
  set_by: string;
  next_at: number;
  last_at: number | null;
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
  next_at: number;
  fetched_at: number | null;
}

/** What is uploaded to Slack, before a message shows it. */
interface FilesTable {
  /** What it is, e.g. `graph:<issue>:<version>`; also in the file's title. */
  key: string;
  issue_id: string | null;
  /** `wanted` until uploaded, `processing` until Slack can show it, then `ready`; `failed` when it never will. */
  state: 'wanted' | 'processing' | 'ready' | 'failed';
  /** What is drawn, as JSON; `null` for a file that is shared in a thread by the outbox. */
  what: string | null;
  /** The message that is edited once the file is ready: its key in the outbox. */
  shown_by: string | null;
  file_id: string | null;
  /** What a picture shows, in words; untrusted. */
  alt: string | null;
  attempts: Generated<number>;
  next_at: number;
  created_at: number;
}

/** What does not work until somebody mends it. */
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
  /** When it was done, as Slack says; `null` where Slack does not (a command). */
  ts: string | null;
  /** When its delivery came here. */
  received_at: number;
  who: string;
  what: string;
}

interface ChangesTable {
  /** What a press or a command causes. */
  cause: string;
  /** The version that its issue had then; 0 where it is none of ours. */
  version: number;
  /** 1 once what came of it is kept. */
  recorded: Generated<number>;
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
  checked_at: number;
}
