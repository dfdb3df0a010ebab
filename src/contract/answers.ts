import { z } from 'zod';
import * as strict from './schema.ts';

/** One of the values that the contract names, or any other string: a newer service may know more. */
type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

type Fields = Record<string, unknown>;

/** What a client may rely on in an answer of that strict shape: no field, no value and no further field is certain. */
type Loose<T> = T extends string
  ? string extends T
    ? string
    : OpenEnum<T>
  : T extends readonly (infer Element)[]
    ? Loose<Element>[]
    : T extends object
      ? string extends keyof T
        ? T
        : { [Key in keyof T]?: Loose<T[Key]> | undefined } & Fields
      : T;

/** A date-time that any service may write: with an offset, or without seconds. It stays a string, fraction and all. */
const LooseTimestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/u);

/**
 * The client's reading of a strict schema: fields are optional unless they are named as required, enumerations take any
 * string, and unknown fields are kept. What is loose already stays as it is.
 */
function loose<T extends Fields, Key extends keyof T & string = never>(
  schema: z.ZodObject & z.ZodType<T>,
  required?: readonly Key[],
): z.ZodType<Loose<T> & { [K in Key]: Loose<T[K]> }>;
function loose(schema: z.ZodObject, required: readonly string[] = []): z.ZodType {
  if (schema.def.catchall) return schema;
  const fields = Object.entries(schema.shape).map(([key, field]): [string, z.ZodType] => [
    key,
    required.includes(key) ? looseField(field) : looseField(field).optional(),
  ]);
  return z.looseObject(Object.fromEntries(fields));
}

function looseField(field: z.core.$ZodType): z.ZodType {
  if (field === strict.Timestamp) return LooseTimestamp;
  // A `null` counts as missing.
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable)
    return looseField(field.unwrap());
  if (field instanceof z.ZodArray) return z.array(looseField(field.element));
  if (field instanceof z.ZodObject) return loose(field);
  if (field instanceof z.ZodNumber || field instanceof z.ZodBoolean) return field;
  if (field instanceof z.ZodRecord || field instanceof z.ZodUnknown) return field;
  return z.string();
}

/** An element of the list; all of it is required. */
export const IssueSummary = loose(strict.IssueSummary, [
  'uuid',
  'number',
  'title',
  'description',
  'severity',
  'status',
  'environment',
  'triggeredAt',
  'seedCount',
]);
export type IssueSummary = z.infer<typeof IssueSummary>;
export type IssueStatus = IssueSummary['status'];

export const IssuePage = loose(strict.IssueList.extend({ data: z.array(IssueSummary) }), [
  'object',
  'data',
  'has_more',
]);
export type IssuePage = z.infer<typeof IssuePage>;

export const IssueDetail = loose(strict.IssueDetail, ['uuid', 'number', 'status']);
export type IssueDetail = z.infer<typeof IssueDetail>;

export const IssueCreated = loose(strict.IssueCreated, ['uuid', 'number', 'status']);
export type IssueCreated = z.infer<typeof IssueCreated>;

export const InvestigationResults = loose(strict.InvestigationResults);
export type InvestigationResults = z.infer<typeof InvestigationResults>;
export type RootCause = NonNullable<InvestigationResults['rootCause']>;
export type Evidence = NonNullable<RootCause['relevantEvidence']>[number];
export type ArtifactRef = NonNullable<Evidence['artifacts']>[number];
export type CausalTreeV2 = NonNullable<InvestigationResults['causalTreeV2']>;
export type Remediation = NonNullable<InvestigationResults['remediation']>;
export type RemediationAction = NonNullable<Remediation['actions']>[number];
export type RemediationStep = NonNullable<RemediationAction['steps']>[number];
export type TimelineEntry = NonNullable<InvestigationResults['timeline']>[number];

export const FactsAnswer = loose(strict.FactsAnswer);
export type FactsAnswer = z.infer<typeof FactsAnswer>;

export const PredictionAnswer = loose(strict.PredictionAnswer);
export type PredictionAnswer = z.infer<typeof PredictionAnswer>;

export const Artifact = loose(strict.AnyArtifact);
export type Artifact = z.infer<typeof Artifact>;
/** The `data` of an artifact whose `type` is `metric`. */
export const MetricData = loose(strict.RepeatableMetric);
export type MetricData = z.infer<typeof MetricData>;

export const QueryArtifact = loose(strict.QueryArtifact);
export type QueryArtifact = z.infer<typeof QueryArtifact>;
export const QueryResponse = loose(strict.QueryResponse);
export type QueryResponse = z.infer<typeof QueryResponse>;

export const ErrorBody = loose(strict.ErrorBody);
