import type { Generated, Kysely, Selectable } from 'kysely';
import type { Severity, Status } from '../../contract/schema.ts';

/** The state of a version's investigation. */
type VersionStatus = 'RUNNING' | 'SUCCESS' | 'FAILED';

/** The tables of every database: times in milliseconds since the epoch, objects as JSON text. */
export interface Tables {
  counters: CountersTable;
  issues: IssuesTable;
  seeds: SeedsTable;
  versions: VersionsTable;
  artifacts: ArtifactsTable;
  conversations: ConversationsTable;
  turns: TurnsTable;
  changes: ChangesTable;
  modelRequests: ModelRequestsTable;
  fingerprints: FingerprintsTable;
}

/** The database, or a transaction. */
export type Query = Kysely<Tables>;

interface CountersTable {
  organization: string;
  lastNumber: number;
}

interface IssuesTable {
  /** Increases with every issue of any organization; never shown. */
  id: Generated<number>;
  uuid: string;
  organization: string;
  number: number;
  title: string;
  description: string;
  severity: Severity;
  status: Status;
  environment: string;
  triggeredAt: number;
  createdAt: number;
  updatedAt: number;
  context: string;
  /** Whether it comes from a private channel; null if that is not known. */
  visibility: 'public' | 'private' | null;
  /** Of a private one: the host of the language model that may see it; null for none. */
  agreedModel: string | null;
  /** As returned by `foldCase`, for searches. */
  foldedTitle: string;
  foldedDescription: string;
}

interface SeedsTable {
  publicUuid: string;
  issue: string;
  seedType: string;
  provider: string;
  providerReferenceId: string;
  title: string;
  description: string;
  tags: string;
  triggeredAt: number;
  link: string;
  query: string;
  rawPayload: string;
}

interface VersionsTable {
  uuid: string;
  issue: string;
  version: number;
  status: VersionStatus;
  description: string;
  sessionUuid: string;
  startedAt: number;
  /** Findings so far; null before the first stage. */
  findings: string | null;
  /** Who investigates it; null if nobody does. */
  owner: string | null;
  /** When the owner loses it, by the database's clock. Null if nobody else could take it. */
  leaseUntil: number | null;
  /** When its issue is to be investigated again, as it was too early for the data. Null if it is not. */
  againAt: number | null;
}

interface ArtifactsTable {
  id: string;
  organization: string;
  /** Null if found by an answer. */
  version: string | null;
  body: string;
  addedAt: number;
}

interface ConversationsTable {
  uuid: string;
  organization: string;
  createdAt: number;
}

interface TurnsTable {
  conversation: string;
  position: number;
  question: string;
  answer: string;
  askedAt: number;
  /** As of an issue; null for turns of before this was stored. */
  visibility: 'public' | 'private' | null;
  agreedModel: string | null;
  /** What the conversation is about after it, as JSON; null for turns of before this was stored. */
  subject: string | null;
}

interface ChangesTable {
  id: string;
  /** Identical for repeated reports. */
  digest: string;
  at: number;
  service: string;
  kind: string;
  title: string;
  version: string | null;
  url: string | null;
  /** What it changed, as JSON; `null` if that was not reported. */
  contents: string | null;
}

interface ModelRequestsTable {
  id: string;
  at: number;
  organization: string;
  issue: number | null;
  /** What the model was asked for. */
  purpose: string;
  model: string;
  host: string;
  /** Tokens that it may take, and those that it took; null while that is not known. */
  reserved: number;
  tokens: number | null;
  ms: number | null;
  outcome: string | null;
  /** SHA-256 of what was sent. */
  digest: string;
  /** What was sent, masked; null if that is not kept, or not any more. */
  payload: string | null;
}

/** How the inside of each configured database was last, and what changed there. */
interface FingerprintsTable {
  database: string;
  at: number;
  body: string;
}

export type IssueRow = Omit<Selectable<IssuesTable>, 'foldedTitle' | 'foldedDescription'>;
export type SeedRow = Selectable<SeedsTable>;
export type VersionRow = Omit<Selectable<VersionsTable>, 'owner' | 'leaseUntil' | 'againAt'>;
export type ChangeRow = Selectable<ChangesTable>;
export type TurnRow = Pick<
  Selectable<TurnsTable>,
  'question' | 'answer' | 'visibility' | 'agreedModel' | 'subject'
>;

/** The columns of an issue, without those used only by searches. */
export const ISSUE_COLUMNS = [
  'issues.id',
  'issues.uuid',
  'issues.organization',
  'issues.number',
  'issues.title',
  'issues.description',
  'issues.severity',
  'issues.status',
  'issues.environment',
  'issues.triggeredAt',
  'issues.createdAt',
  'issues.updatedAt',
  'issues.context',
  'issues.visibility',
  'issues.agreedModel',
] as const satisfies `issues.${keyof IssueRow}`[];
