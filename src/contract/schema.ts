import { z } from 'zod';
import '../lib/zod-words.ts';

/**
 * The service's API (docs/service-api.md), as strictly as the embedded service keeps it: every field that it answers
 * with is there. `answers.ts` derives from it how the client reads any service's answers.
 */

/** The only API version there is; sent and accepted as `Service-Version`. */
export const SERVICE_VERSION = '2026-03-17';

/** A date-time in UTC with a trailing `Z`; seconds and their fraction are optional. */
const dateTime = z.union([z.iso.datetime(), z.iso.datetime({ precision: -1 })], {
  error: 'must be an ISO 8601 date-time in UTC, such as 2026-03-17T09:30:00Z',
});
export const Timestamp = dateTime.meta({ type: 'string', format: 'date-time' });

/** The same in a request; the format `date-time` in openapi.json would require seconds. */
const RequestTimestamp = dateTime.meta({
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$`,
});

/** A version or an issue's number: 1 to 9007199254740991. */
const PositiveInteger = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** A count: 0 to 9007199254740991. */
const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** An issue's UUID. Without flags: openapi.json would show them as part of the pattern. */
const IssueId = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
  error: 'must be a UUID in lowercase, 8-4-4-4-12',
});

const JsonObject = z.record(z.string(), z.unknown());

// Issues

export const ISSUE_STATUSES = ['investigating', 'ready_to_fix', 'resolved', 'muted'] as const;
const ISSUE_SEVERITIES = ['low', 'medium', 'high'] as const;

const Status = z.enum(ISSUE_STATUSES);
export type Status = z.infer<typeof Status>;
const Severity = z.enum(ISSUE_SEVERITIES);
export type Severity = z.infer<typeof Severity>;

const issue = {
  uuid: IssueId,
  number: PositiveInteger,
  title: z.string(),
  description: z.string(),
  severity: Severity,
  status: Status,
  environment: z.string(),
  triggeredAt: Timestamp,
};

/** An element of the list. */
export const IssueSummary = z.object({ ...issue, seedCount: Count });
export type IssueSummary = z.infer<typeof IssueSummary>;

/** One page of the list, with the cursors to its neighbors. */
export const IssueList = z.object({
  object: z.literal('list'),
  data: z.array(IssueSummary),
  has_more: z.boolean(),
  after: IssueId.optional(),
  before: IssueId.optional(),
});

/** What an issue grew from. */
const Seed = z.object({
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
  rawPayload: JsonObject,
});

/** One investigation of an issue. */
const IssueVersion = z.object({
  uuid: z.string(),
  version: PositiveInteger,
  status: z.string(),
  description: z.string(),
});

/** The answer to fetching or updating an issue. */
export const IssueDetail = z.object({
  ...issue,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  seedCount: Count,
  seeds: z.array(Seed),
  latestVersion: PositiveInteger,
  versions: z.array(IssueVersion),
});
export type IssueDetail = z.infer<typeof IssueDetail>;

export const IssueCreated = IssueDetail.omit({ seedCount: true, seeds: true, versions: true });
export type IssueCreated = z.infer<typeof IssueCreated>;

/** What the investigation may use besides the description; unknown fields are kept. */
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
  metadata: JsonObject.optional(),
});
export type IssueContext = z.infer<typeof IssueContext>;

/** A text of at least one and at most so many characters, counted in code points. */
function textUpTo(most: number) {
  return z
    .string()
    .min(1)
    .refine((text) => text.length <= most || [...text].length <= most, {
      error: `must have at most ${most} characters`,
    })
    .meta({ maxLength: most });
}

/** The most characters of a description, and of a question with all that precedes it. */
const MOST_CHARACTERS = 250_000;

export const IssueCreate = z.object({
  title: textUpTo(500),
  description: textUpTo(MOST_CHARACTERS),
  environment: z.string().min(1),
  severity: Severity.default('medium'),
  triggeredAt: RequestTimestamp.optional(),
  context: IssueContext.optional(),
});
export type IssueCreate = z.input<typeof IssueCreate>;

export const IssueUpdate = z.object({ status: Status });

/** An integer from 1 to `max` in a path or a query string. */
function integerParameter(max: number) {
  return z
    .string()
    .regex(/^[1-9]\d{0,15}$/, { error: `must be an integer of 1 to ${max}` })
    .transform(Number)
    .refine((value) => value <= max, { error: `must be an integer of 1 to ${max}` })
    .meta({ type: 'integer', minimum: 1, maximum: max });
}

export const IssuePath = z.object({ id: IssueId });
export const IssueNumberPath = z.object({ number: integerParameter(Number.MAX_SAFE_INTEGER) });

/** Query of the operations that can return an older version; the default is the newest. */
export const VersionQuery = z.object({ version: integerParameter(Number.MAX_SAFE_INTEGER).optional() });

export const IssueQuery = z
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

// Results

/** Names an artifact that `GET /artifacts` returns. */
const ArtifactRef = z.object({
  documentId: z.string(),
  title: z.string(),
  description: z.string(),
  dataType: z.string(),
});
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** What supports a cause, or was ruled out. */
const Evidence = z.object({
  title: z.string(),
  status: z.string(),
  description: z.string(),
  confidence: z.string(),
  artifacts: z.array(ArtifactRef),
});
export type Evidence = z.infer<typeof Evidence>;

/** Without a summary, nothing was found. */
const RootCause = z.object({
  id: z.string(),
  incidentOverview: z.string(),
  rootCauseSummary: z.string().optional(),
  /** The summary says what is wrong; nothing shows why. */
  isUnexplained: z.boolean().optional(),
  relevantEvidence: z.array(Evidence),
  irrelevantEvidence: z.array(Evidence),
});
export type RootCause = z.infer<typeof RootCause>;

const CausalNode = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  description: z.string(),
  expandedContent: z.string(),
});
const CausalEdge = z.object({ id: z.string(), source: z.string(), target: z.string() });

/** Causes and effects; the edges name nodes by id. */
const CausalTree = z.object({ nodes: z.array(CausalNode), edges: z.array(CausalEdge) });
export type CausalTree = z.infer<typeof CausalTree>;

const CausalNodeV2 = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  confidence: z.string(),
  nodeType: z.string(),
  evidence: z.array(ArtifactRef),
});
const CausalEdgeV2 = z.object({ from: z.string(), to: z.string(), confidence: z.number() });

/** The graph with evidence at its nodes; an edge's confidence is a number such as 0.5. */
const CausalTreeV2 = z.object({ nodes: z.array(CausalNodeV2), edges: z.array(CausalEdgeV2) });
export type CausalTreeV2 = z.infer<typeof CausalTreeV2>;

const RemediationStep = z.object({
  id: z.string(),
  title: z.string(),
  required: z.boolean(),
  type: z.string(),
  content: z.string(),
  helpMarkdown: z.string(),
  label: z.string(),
});

/** One thing to do, with its steps. */
const RemediationAction = z.object({
  id: z.string(),
  uuid: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  markdownPrompt: z.string(),
  steps: z.array(RemediationStep),
});

/** What happened when. */
const TimelineEntry = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: Timestamp,
  title: z.string(),
  description: z.string(),
  evidence: z.array(
    z.object({ artifactId: z.string(), timestamp: Timestamp, title: z.string(), description: z.string() }),
  ),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** Requests of one customer, as the configured label names it: beyond the contract, and for the alert's channel alone. */
const Customer = z.object({ name: z.string(), failed: z.number(), requests: z.number() });

/** The results without their session. While an investigation runs, unknown parts are empty. */
export const Findings = z.object({
  rootCause: RootCause,
  causalTree: CausalTree,
  causalTreeV2: CausalTreeV2,
  remediation: z.object({ actions: z.array(RemediationAction) }),
  timeline: z.array(TimelineEntry),
  customers: z.array(Customer).optional(),
});
export type Findings = z.infer<typeof Findings>;
export type Remediation = Findings['remediation'];

export const InvestigationResults = Findings.extend({ sessionUuid: z.string() });

// What the embedded service says beyond the contract

/** A header of its answers, and a field of its `/openapi.json`: another service is asked nothing beyond the contract. */
export const PROGRAM = { header: 'Service-Program', field: 'x-service-program', name: 'gumshoe' } as const;

/** One fact of an investigation, as a value; `src/service/investigation/fact.ts` says what each part means. */
const Fact = z.object({
  what: z.string(),
  code: z.string(),
  /** The same for the same trouble at the same place. */
  key: z.string(),
  of: z.object({
    service: z.string(),
    instance: z.string().optional(),
    object: z.string().optional(),
    caller: z.string().optional(),
  }),
  /** Missing if only its presence now is known. */
  since: Timestamp.optional(),
  /** Missing while it goes on. */
  until: Timestamp.optional(),
  /** Missing if it is no quantity. */
  level: z
    .object({
      now: z.number(),
      before: z.number().optional(),
      unit: z.string(),
      limit: z.number().optional(),
    })
    .optional(),
  from: z.object({
    source: z.string(),
    query: z.string().optional(),
    from: Timestamp,
    to: Timestamp,
    stepSeconds: z.number().optional(),
    url: z.string().optional(),
  }),
  sentence: z.string(),
});
export type Fact = z.infer<typeof Fact>;

/** What each step of the investigation found, for whoever asks why a verdict is as it is. */
const Trace = z.array(z.object({ step: z.string(), found: z.record(z.string(), z.unknown()) }));

/** What the next minutes show if a verdict is right, and how that is measured. */
export const Prediction = z.object({
  sentence: z.string(),
  /** Once the change was taken back, or once the alert is over. */
  after: z.enum(['undo', 'recovery']),
  withinSeconds: z.number(),
  query: z.string(),
  labels: z.record(z.string(), z.string()),
  /** Good is below it if high is bad, and above it if low is. */
  bound: z.number(),
  bad: z.enum(['high', 'low']),
  /** What is ruled out if it does not come true. */
  place: z.string(),
  kind: z.string(),
  isRefuted: z.boolean().optional(),
});
export type Prediction = z.infer<typeof Prediction>;

/**
 * `GET /issues/{id}/prediction`: `since` when it is looked at, if that has come; and what was changed since the verdict, where the
 * cause is or what it affects.
 */
export const PredictionAnswer = z.object({
  since: Timestamp.nullable(),
  outcome: z.enum(['came_true', 'did_not']).nullable(),
  at: Timestamp.nullable(),
  changes: z.array(z.object({ at: Timestamp, title: z.string() })).optional(),
});
export type PredictionAnswer = z.infer<typeof PredictionAnswer>;

/** `GET /issues/{id}/facts`: what is wrong or changed, of the issue's service and what it depends on. */
export const FactsAnswer = z.object({
  facts: z.array(Fact),
  trace: Trace,
  prediction: Prediction.nullable().optional(),
});

/** What is stored of an investigation. */
export const StoredFindings = Findings.extend({
  facts: z.array(Fact).default([]),
  trace: Trace.default([]),
  prediction: Prediction.nullable().default(null),
  /** What could not be decided or checked: sentences of the overview. */
  limits: z.array(z.string()).default([]),
});
export type StoredFindings = z.infer<typeof StoredFindings>;

/** `GET /model`: the language model that it uses. */
const LanguageModel = z.object({
  name: z.string(),
  /** Where what it is shown goes. */
  host: z.string(),
  /** Whether it may see what comes from private channels. */
  private: z.boolean(),
  /** What it is asked for; a service of before does not say. */
  uses: z.array(z.string()).optional(),
  /** Tokens taken today (UTC), and the most that a day may take. */
  tokens: z.number(),
  ceiling: z.number(),
});
export type LanguageModel = z.infer<typeof LanguageModel>;
export const LanguageModelAnswer = z.object({ model: LanguageModel.nullable() });

/** What a part of a message may hold. */
export const SLOT_ROLES = ['name', 'state', 'severity', 'time', 'measurement', 'id', 'text'] as const;

/** `POST /model/alerts`: messages of one sender that are worded alike. All of it is untrusted. */
export const TemplateRequest = z.object({
  template: z.array(z.string().max(500)).max(30),
  /** Its parts that differ, or may name something. */
  slots: z
    .array(z.object({ label: z.string().max(100).nullable(), values: z.array(z.string().max(100)).max(5) }))
    .max(20),
  examples: z.array(z.string().max(1_000)).min(1).max(5),
  /** An example of each of the sender's other templates. */
  others: z.array(z.string().max(1_000)).max(8),
});
export type TemplateRequest = z.infer<typeof TemplateRequest>;

/** What the model supposes; `asked` is false where it was not asked, or did not answer. */
export const TemplateAnswer = z.object({
  asked: z.boolean(),
  proposal: z
    .object({
      is: z.enum(['trouble', 'recovery', 'no_alert']),
      /** Which of `others`. */
      pairsWith: z.number().int().nonnegative().nullable(),
      /** Of each slot. */
      roles: z.array(z.enum(SLOT_ROLES).nullable()),
    })
    .nullable(),
});
export type TemplateAnswer = z.infer<typeof TemplateAnswer>;

/** `GET /systems`: what is seen of each service, what is missing, and which of its metrics are not understood. */
export const SystemsAnswer = z.object({
  services: z.array(
    z.object({
      name: z.string(),
      seen: z.array(z.string()),
      missing: z.array(z.string()),
      unread: z.array(z.string()),
      readFrom: z.array(z.string()).default([]),
    }),
  ),
  notes: z.array(z.string()),
});
export type SystemsAnswer = z.infer<typeof SystemsAnswer>;

/** `GET /sources`: whether each configured source answers; of one that does not, why, and what to do. */
export const SourcesAnswer = z.object({
  sources: z.array(z.object({ name: z.string(), ok: z.boolean(), summary: z.string() })),
});
export type SourcesAnswer = z.infer<typeof SourcesAnswer>;

/** `GET /trial?days=`: the last days' alerts, investigated as of then. Asked for again, it says how far it is. */
export const TrialAnswer = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('running'),
    done: z.number(),
    of: z.number().nullable(),
    leftSeconds: z.number().nullable(),
  }),
  /** An HTML file, and what it says in a few lines. */
  z.object({ state: z.literal('done'), page: z.string(), lines: z.array(z.string()) }),
  z.object({ state: z.literal('failed'), reason: z.string() }),
]);
export type TrialAnswer = z.infer<typeof TrialAnswer>;

// Artifacts

const Nanoseconds = z.string().regex(/^\d+$/);
const List = z.object({ values: z.array(z.unknown()) });

/** An attribute, in OpenTelemetry's JSON form; 64-bit integers are strings. */
const KeyValue = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    boolValue: z.boolean().optional(),
    intValue: z.string().optional(),
    doubleValue: z.number().optional(),
    arrayValue: List.optional(),
    kvlistValue: List.optional(),
    bytesValue: z.string().optional(),
  }),
});

/** A sample that names its trace. */
const Exemplar = z.object({
  filteredAttributes: z.array(KeyValue),
  timeUnixNano: Nanoseconds,
  asDouble: z.number().optional(),
  asInt: z.string().optional(),
  spanId: z.string(),
  traceId: z.string(),
});

/** One value, a double or an integer; times are nanoseconds since the epoch, as strings. */
const DataPoint = z.object({
  attributes: z.array(KeyValue),
  startTimeUnixNano: Nanoseconds,
  timeUnixNano: Nanoseconds,
  asDouble: z.number().optional(),
  asInt: z.string().optional(),
  exemplars: z.array(Exemplar).default([]),
  flags: z.int(),
});
export type DataPoint = z.input<typeof DataPoint>;

/** The `data` of an artifact whose `type` is `metric`. */
export const MetricData = z.object({
  metricType: z.string(),
  name: z.string(),
  description: z.string(),
  unit: z.string(),
  dataPoints: z.array(DataPoint),
});

/** Beyond the contract, from our own service: what returns the same numbers again, in the source's own language. */
export const RepeatableMetric = MetricData.extend({
  query: z.string().optional(),
  asked: z.object({ start: Timestamp, end: Timestamp, stepSeconds: z.number() }).optional(),
});

/** The shape of `data` depends on `type`; only that of `metric` is defined. */
export const AnyArtifact = z.object({
  id: z.string(),
  provider: z.string(),
  providerUrl: z.string(),
  summary: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  type: z.enum(['metric', 'logs', 'trace', 'change']),
  data: JsonObject,
});
export const Artifact = z.discriminatedUnion('type', [
  AnyArtifact.extend({ type: z.literal('metric'), data: RepeatableMetric }),
  AnyArtifact.extend({ type: z.enum(['logs', 'trace', 'change', 'table']) }),
]);
export type Artifact = z.infer<typeof Artifact>;

export const ArtifactsQuery = z.object({
  id: z
    .union([z.string().transform((id) => [id]), z.array(z.string())])
    .refine((ids) => ids.length <= 100, { error: 'at most 100 ids' })
    .default([])
    .meta({ type: 'array', items: { type: 'string' }, maxItems: 100 }),
});

// The agent

/**
 * What a question is about and what precedes it, as data. `question` of the request says the same in words, for services
 * that ignore this.
 */
export const QueryThread = z.object({
  /** The question alone. */
  question: textUpTo(MOST_CHARACTERS),
  /** The issue of the thread. */
  issue: z
    .object({
      number: z.int().min(1),
      title: z.string(),
      service: z.string().nullable().default(null),
      root_cause: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
  /** What people said in the thread, oldest first. */
  said: z.array(z.object({ speaker: z.string(), text: z.string() })).default([]),
  /** What was asked before, if the service may have forgotten it; oldest first. */
  asked: z.array(z.object({ question: z.string(), answer: z.string() })).default([]),
  files: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
  /** Who owns the services that it is about, as far as the client knows. Not in the words of the request. */
  owners: z
    .array(
      z.object({
        service: z.string().nullable().default(null),
        name: z.string(),
        /** The id of the channel to ask in. */
        channel: z.string().nullable().default(null),
        /** Empty where nobody is known, or people's names are not shared. */
        on_call: z.array(z.string()).default([]),
      }),
    )
    .optional(),
});
export type ServiceOwner = NonNullable<z.infer<typeof QueryThread>['owners']>[number];
export type QueryThread = z.infer<typeof QueryThread>;

export const QueryRequest = z.object({
  question: textUpTo(MOST_CHARACTERS),
  thread: QueryThread.optional(),
  conversation_id: z.uuid().toLowerCase().optional(),
  stream: z.boolean().default(false),
});
export type QueryRequest = z.input<typeof QueryRequest>;

/** Something that the agent found on the way to its answer. */
export const QueryArtifact = z.object({
  id: z.string(),
  tool_name: z.string(),
  data_type: z.string(),
  provider: z.string(),
  summary: z.string(),
});
export type QueryArtifact = z.infer<typeof QueryArtifact>;

/** An answer; `conversation_id` goes into the next question of the same conversation. */
export const QueryResponse = z.object({
  conversation_id: z.uuid(),
  answer: z.string(),
  artifacts: z.array(QueryArtifact),
});
export type QueryResponse = z.infer<typeof QueryResponse>;

// Failures

/** The body of every failure; `details` maps a field to what is wrong with it. */
export const ErrorBody = z.object({
  type: z.enum(['api_error', 'invalid_request_error', 'authentication_error']),
  message: z.string(),
  request_id: z.string(),
  details: z.record(z.string(), z.string()).optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
