import { z } from '@hono/zod-openapi';
import { boundedInteger, IssueId, integerParameter, RequestTimestamp, Timestamp } from './primitives.ts';

export const Severity = z.enum(['low', 'medium', 'high']);
export type Severity = z.infer<typeof Severity>;

export const Status = z.enum(['investigating', 'ready_to_fix', 'resolved', 'muted']);
export type Status = z.infer<typeof Status>;

/** Contract 2.5: the caller's additional information; unknown fields are kept. */
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

/** Contract 2.5; lengths are counted in code points. */
export const CreateIssueBody = z
  .object({
    title: z
      .string()
      .min(1)
      .refine((title) => [...title].length <= 500, { error: 'must have at most 500 characters' })
      .openapi({ maxLength: 500 }),
    description: z.string().min(1),
    environment: z.string().min(1),
    severity: Severity.default('medium'),
    triggeredAt: RequestTimestamp.optional(),
    context: IssueContext.optional(),
  })
  .openapi('CreateIssueBody');

/** Contract 4.3. */
export const UpdateIssueBody = z.object({ status: Status }).openapi('UpdateIssueBody');

/** Contract 4.1. */
export const ListIssuesQuery = z
  .object({
    limit: integerParameter(100).optional(),
    startingAfter: IssueId.optional(),
    endingBefore: IssueId.optional(),
    status: Status.optional(),
    environment: z.string().min(1).optional(),
    search: z.string().min(1).optional(),
  })
  .refine((query) => query.startingAfter === undefined || query.endingBefore === undefined, {
    error: 'cannot be given together with startingAfter',
    path: ['endingBefore'],
  });

const Integer = boundedInteger(1);
const Count = boundedInteger(0);

const base = {
  uuid: IssueId,
  number: Integer,
  title: z.string(),
  description: z.string(),
  severity: Severity,
  status: Status,
  environment: z.string(),
  triggeredAt: Timestamp,
};
const changes = { createdAt: Timestamp, updatedAt: Timestamp, latestVersion: Integer };

/** Contract 2.3. */
const Seed = z
  .object({
    publicUuid: z.uuid(),
    seedType: z.string(),
    provider: z.string(),
    providerReferenceId: z.string(),
    title: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    triggeredAt: Timestamp,
    link: z.string(),
    query: z.string(),
    rawPayload: z.record(z.string(), z.unknown()),
  })
  .openapi('Seed');

/** Contract 2.4. */
const Version = z
  .object({ uuid: z.string(), version: Integer, status: z.string(), description: z.string() })
  .openapi('Version');

/** Contract 2.1. */
export const IssueSummary = z.object({ ...base, seedCount: Count }).openapi('IssueSummary');
export type IssueSummary = z.infer<typeof IssueSummary>;

/** Contract 2.10. */
export const IssueList = z
  .object({
    object: z.literal('list'),
    data: z.array(IssueSummary),
    has_more: z.boolean(),
    after: IssueId.optional(),
    before: IssueId.optional(),
  })
  .openapi('IssueList');
export type IssueList = z.infer<typeof IssueList>;

/** Contract 2.6. */
export const IssueCreated = z.object({ ...base, ...changes }).openapi('IssueCreated');
export type IssueCreated = z.infer<typeof IssueCreated>;

/** Contract 2.2. */
export const IssueDetail = z
  .object({
    ...base,
    ...changes,
    seedCount: Count,
    seeds: z.array(Seed),
    versions: z.array(Version),
  })
  .openapi('IssueDetail');
export type IssueDetail = z.infer<typeof IssueDetail>;
