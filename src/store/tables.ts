import type { Kysely } from 'kysely';

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
  kind: 'reaction' | 'card' | 'result' | 'answer' | 'notice';
  issue_id: string | null;
  question_id: string | null;
  channel: string;
  thread_ts: string | null;
  payload: string;
  priority: number;
  /** Raised by each intent; edits coalesce to the newest. */
  wanted: number;
  done: number;
  state: 'due' | 'idle' | 'dead';
  next_at: number;
  attempts: number;
  /** The messages posted so far, as JSON: `[{ ts, hash }]`. */
  sent: string;
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
  /** Set before the create call: from then on the issue may exist at the service. */
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
}

interface QuestionsTable {
  /** `<channel>:<ts>` of the message, or the id of the command that asked. */
  id: string;
  conversation: string;
  asker: string;
  text: string;
  state: 'queued' | 'asking' | 'complete' | 'failed';
  answer: string;
  artifacts: string;
  note: string | null;
  created_at: number;
  updated_at: number;
}

interface AuditTable {
  id: string;
  at: number;
  who: string;
  what: string;
  issue_id: string | null;
}
