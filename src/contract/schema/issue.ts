import { z } from 'zod';
import { Count, IssueId, openEnum, PositiveInteger, Timestamp } from './primitives.ts';

/** The statuses that the contract names (section 3). */
export const ISSUE_STATUSES = ['investigating', 'ready_to_fix', 'resolved', 'muted'] as const;

/** The severities that the contract names (2.1). */
export const ISSUE_SEVERITIES = ['low', 'medium', 'high'] as const;

/** An issue's status; a status that the contract does not name passes. */
export const IssueStatus = openEnum(ISSUE_STATUSES);
export type IssueStatus = z.infer<typeof IssueStatus>;

/** An issue's severity; a severity that the contract does not name passes. */
export const IssueSeverity = openEnum(ISSUE_SEVERITIES);
export type IssueSeverity = z.infer<typeof IssueSeverity>;

/** Contract 2.1: an element of the list; all of it is required. */
export const IssueSummary = z.looseObject({
  uuid: z.string(),
  number: PositiveInteger,
  title: z.string(),
  description: z.string(),
  severity: IssueSeverity,
  status: IssueStatus,
  environment: z.string(),
  triggeredAt: Timestamp,
  seedCount: Count,
});
export type IssueSummary = z.infer<typeof IssueSummary>;

/** Contract 2.3: what an issue grew from. */
export const Seed = z.looseObject({
  publicUuid: z.string().optional(),
  seedType: z.string().optional(),
  provider: z.string().optional(),
  providerReferenceId: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  triggeredAt: Timestamp.optional(),
  link: z.string().optional(),
  query: z.string().optional(),
  rawPayload: z.record(z.string(), z.unknown()).optional(),
});
export type Seed = z.infer<typeof Seed>;

/** Contract 2.4: one investigation of an issue. */
export const IssueVersion = z.looseObject({
  uuid: z.string().optional(),
  version: PositiveInteger.optional(),
  status: z.string().optional(),
  description: z.string().optional(),
});
export type IssueVersion = z.infer<typeof IssueVersion>;

/** Contract 2.2: the answer to fetching or updating an issue. */
export const IssueDetail = z.looseObject({
  uuid: z.string(),
  number: PositiveInteger,
  title: z.string().optional(),
  description: z.string().optional(),
  severity: IssueSeverity.optional(),
  status: IssueStatus,
  environment: z.string().optional(),
  triggeredAt: Timestamp.optional(),
  createdAt: Timestamp.optional(),
  updatedAt: Timestamp.optional(),
  seedCount: Count.optional(),
  seeds: z.array(Seed).optional(),
  latestVersion: PositiveInteger.optional(),
  versions: z.array(IssueVersion).optional(),
});
export type IssueDetail = z.infer<typeof IssueDetail>;

/** Contract 2.5: what the investigation may use beside the description. */
export const IssueContext = z.looseObject({
  alertUrl: z.string().optional(),
  service: z.string().optional(),
  traceId: z.string().optional(),
  spanId: z.string().optional(),
  errorType: z.string().optional(),
  errorMessage: z.string().optional(),
  host: z.string().optional(),
  region: z.string().optional(),
  version: z.string().optional(),
  tags: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type IssueContext = z.infer<typeof IssueContext>;

/** Contract 2.5: the body that creates an issue; here the bounds are strict, because we send it. */
export const IssueCreate = z.object({
  title: z.string().min(1).max(500),
  description: z.string().min(1),
  environment: z.string().min(1),
  severity: z.enum(ISSUE_SEVERITIES).optional(),
  /** In UTC with a trailing `Z` (section 2). */
  triggeredAt: Timestamp.endsWith('Z').optional(),
  context: IssueContext.optional(),
});
export type IssueCreate = z.infer<typeof IssueCreate>;

/** Contract 4.1: what `GET /issues` may be asked for; the service's default for `limit` is 10. */
export const IssueFilter = z.object({
  limit: z.int().min(1).max(100).optional(),
  startingAfter: IssueId.optional(),
  endingBefore: IssueId.optional(),
  status: IssueStatus.optional(),
  /** Matched exactly. */
  environment: z.string().min(1).optional(),
  /** A literal, case-insensitive part of the title or the description. */
  search: z.string().min(1).optional(),
});
export type IssueFilter = z.infer<typeof IssueFilter>;

/** Contract 4.3, 4.4, 4.6 and 4.7: an issue in a path, and which of its versions; the latest unless told. */
export const IssueAddress = z.object({ id: IssueId, version: PositiveInteger.optional() });

/** Contract 4.5: an issue by its number within the organisation. */
export const IssueByNumber = z.object({ number: PositiveInteger });

/** Contract 2.6: the answer to creating an issue. */
export const IssueCreated = z.looseObject({
  uuid: z.string(),
  number: PositiveInteger,
  status: IssueStatus,
  title: z.string().optional(),
  description: z.string().optional(),
  severity: IssueSeverity.optional(),
  createdAt: Timestamp.optional(),
  updatedAt: Timestamp.optional(),
  triggeredAt: Timestamp.optional(),
  latestVersion: PositiveInteger.optional(),
  environment: z.string().optional(),
});
export type IssueCreated = z.infer<typeof IssueCreated>;

/** Contract 2.10: one page of the list, with the cursors to its neighbours. */
export const IssuePage = z.looseObject({
  object: z.string(),
  data: z.array(IssueSummary),
  has_more: z.boolean(),
  after: z.string().optional(),
  before: z.string().optional(),
});
export type IssuePage = z.infer<typeof IssuePage>;
