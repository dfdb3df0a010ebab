import { z } from 'zod';
import { type Artifact, MetricData } from '../../contract/schema.ts';
import { completeArtifact, type Investigation } from '../investigation/types.ts';
import { type PastProblem, tagsOf } from './past-alert.ts';

const Chart = z.object({
  artifact: z.string(),
  title: z.string(),
  unit: z.string(),
  /** Milliseconds and value. */
  points: z.array(z.tuple([z.number(), z.number()])),
});
export type Chart = z.infer<typeof Chart>;

const Source = z.object({
  artifact: z.string(),
  type: z.string(),
  summary: z.string(),
  /** Where it can be seen in one's own tool. */
  url: z.string(),
  /** The query that gives it again. */
  query: z.string().nullable(),
  /** Log lines, or a change's contents. */
  lines: z.array(z.string()),
});

const Evidence = z.object({ title: z.string(), description: z.string(), artifacts: z.array(z.string()) });
const Firing = z.object({ from: z.number(), to: z.number().nullable() });

/** One problem with what an investigation as of then says: a line of the progress, and of the page. */
export const Row = Firing.extend({
  name: z.string(),
  identity: z.string(),
  tags: z.array(z.string()),
  url: z.string().nullable(),
  again: z.array(Firing),
  /** `null` if no cause was found. */
  verdict: z.string().nullable(),
  /** The service that is named, if one is. */
  place: z.string().nullable(),
  confidence: z.string().nullable(),
  overview: z.string(),
  evidence: z.array(Evidence),
  ruledOut: z.array(Evidence),
  actions: z.array(z.string()),
  charts: z.array(Chart),
  sources: z.array(Source),
  gaps: z.array(z.string()),
  seconds: z.number(),
  requests: z.number(),
  /** For how long at least one of them was on its way. */
  busyMs: z.number(),
});
export type Row = z.infer<typeof Row>;

interface Spent {
  seconds: number;
  requests: number;
  busyMs: number;
}

const MOST_CHARTS = 8;
const MOST_LINES = 30;
const MOST_CHARACTERS = 300;

export function rowOf(problem: PastProblem, found: Investigation, now: number, spent: Spent): Row {
  const { rootCause, causalTreeV2, remediation } = found.results;
  const artifacts = found.artifacts.map((one) => completeArtifact(one, now));
  const cause = causalTreeV2.nodes.find(({ nodeType }) => nodeType === 'cause');
  const verdict = (rootCause.isUnexplained !== true && rootCause.rootCauseSummary) || null;
  const items = (list: typeof rootCause.relevantEvidence) =>
    list.map(({ title, description, artifacts: refs }) => ({
      title,
      description,
      artifacts: refs.flatMap(({ documentId }) => documentId ?? []),
    }));
  const { name, identity, from, to, url } = problem;
  return {
    name,
    identity,
    from,
    to,
    url,
    tags: tagsOf(problem),
    again: [...problem.again],
    verdict,
    place: verdict === null ? null : (cause?.id ?? null),
    confidence: verdict === null ? null : (cause?.confidence ?? null),
    overview:
      verdict === null
        ? [rootCause.rootCauseSummary ?? '', rootCause.incidentOverview].join(' ').trim()
        : rootCause.incidentOverview,
    evidence: items(rootCause.relevantEvidence),
    ruledOut: items(rootCause.irrelevantEvidence),
    actions: remediation.actions.map(({ title, description }) => `${title}: ${description}`),
    charts: artifacts.flatMap(chartOf).slice(0, MOST_CHARTS),
    sources: artifacts.map(sourceOf),
    gaps: [...new Set(found.gaps.map(({ reason }) => reason))],
    ...spent,
  };
}

function chartOf({ id, type, data, summary }: Artifact): Chart[] {
  const metric = type === 'metric' ? MetricData.safeParse(data) : null;
  if (metric === null || !metric.success || metric.data.dataPoints.length < 2) return [];
  const points = metric.data.dataPoints.map(({ timeUnixNano, asDouble, asInt }): [number, number] => [
    Number(BigInt(timeUnixNano) / 1_000_000n),
    asDouble ?? Number(asInt ?? 0),
  ]);
  return [{ artifact: id, title: summary, unit: metric.data.unit, points }];
}

const Lines = z.looseObject({
  lines: z.array(z.looseObject({ timestamp: z.string(), message: z.string() })),
});
const Contents = z.looseObject({ details: z.string() });
const Queried = z.looseObject({ query: z.string() });

function sourceOf({ id, type, summary, providerUrl, data }: Artifact): z.infer<typeof Source> {
  const logs = Lines.safeParse(data).data?.lines.map(
    ({ timestamp, message }) => `${timestamp.slice(11, 19)} ${message}`,
  );
  const lines = logs ?? Contents.safeParse(data).data?.details.split('\n') ?? [];
  return {
    artifact: id,
    type,
    summary,
    // What has no host is a question for programs.
    url: /^https?:/u.test(providerUrl) ? providerUrl : '',
    query: Queried.safeParse(data).data?.query ?? null,
    lines: lines.slice(0, MOST_LINES).map((line) => line.slice(0, MOST_CHARACTERS)),
  };
}
