import { z } from 'zod';
import type { ArtifactRef, InvestigationResults } from '../../contract/answers.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import { count, ofOthers, type Tool, ToolError, tool } from '../../lib/mcp.ts';
import { displayName } from '../../lib/text.ts';
import { parseAlert } from '../alerts/parse.ts';
import type { Alert } from '../alerts/types.ts';
import { causeOf } from '../issues/cause.ts';
import { reasonWords } from '../render/alerts/reasons.ts';
import { type Metric, readMetric } from '../render/charts/metric.ts';
import { factLines } from '../render/evidence/facts.ts';
import { issueNumber } from '../shared/issue-number.ts';
import { readReason } from '../store/reasons.ts';
import { resultBlocks } from './blocks.ts';
import type { Caller } from './callers.ts';
import {
  asked,
  brief,
  headOf,
  issuesPage,
  type Listed,
  type McpDeps,
  type Readable,
  readable,
  statusToTell,
  symptomsOf,
  threadOf,
  withoutSymptoms,
} from './found.ts';

export const Brief = z.object({
  number: z.string(),
  title: z.string(),
  status: z.string(),
  severity: z.string(),
  environment: z.string(),
  service: z.string().nullable(),
  triggeredAt: z.string(),
});

const Listing = Brief.extend({
  rootCause: z.string().nullable(),
  state: z.enum(['investigating', 'found', 'nothing_found', 'none']),
  symptoms: z.array(z.string()),
});

/** 12, or P12. */
export const WrittenNumber = z.string().max(20);

/** What is known of one issue. */
export function issueTools(deps: McpDeps): Tool<Caller>[] {
  return [
    tool({
      name: 'list_issues',
      title: 'List issues',
      description: 'Issues that are or were investigated, newest first.',
      input: z.object({
        status: z.enum(['investigating', 'ready_to_fix', 'resolved', 'muted']).optional(),
        environment: z.string().max(100).optional(),
        search: z.string().max(200).optional().describe('part of title or description'),
        limit: count(50, 20),
        cursor: z.string().max(100).optional().describe('next, from the page before'),
      }),
      output: z.object({ issues: z.array(Listing), next: z.string().nullable() }),
      async run({ limit, cursor, ...filter }, call) {
        const { found, next } = await issuesPage(stated(filter), cursor ?? null, limit, call, deps);
        const folded = await withoutSymptoms(found, filter, call, deps);
        const issues = await Promise.all(
          folded.map(async (one) => ({
            ...(await brief(one, deps)),
            ...(await causeOfListed(one, deps)),
            symptoms: one.ours === null ? [] : await symptomsOf(one.ours, call, deps),
          })),
        );
        const lines = issues.map(listLine);
        return {
          data: { issues, next },
          text: lines.length === 0 ? 'No issues.' : ofOthers(lines.join('\n')),
        };
      },
    }),
    tool({
      name: 'get_issue',
      title: 'Get an issue',
      description: 'What was reported, its status, who did what.',
      input: z.object({ issue: WrittenNumber }),
      output: Brief.extend({
        description: z.string(),
        version: z.number(),
        slackUrl: z.string().nullable(),
        repeats: z.number(),
        recovered: z.boolean(),
        symptomOf: z.string().nullable(),
        symptoms: z.array(z.string()),
        history: z.array(z.object({ at: z.string(), who: z.string(), what: z.string() })),
      }),
      async run({ issue }, call) {
        const found = await readable(issue, call, deps);
        const { detail, ours } = found;
        const audit = ours === null ? [] : (await deps.store.audit.ofIssue(ours.id, 20)).entries;
        const data = {
          ...(await briefOf(found, deps)),
          description: (detail.description ?? '').slice(0, 4_000),
          version: detail.latestVersion ?? ours?.version ?? 1,
          slackUrl: threadOf(ours, deps),
          repeats: ours?.repeats ?? 0,
          recovered: ours !== null && ours.recoveredAt !== null,
          symptomOf: ours === null ? null : await headOf(ours, call, deps),
          symptoms: ours === null ? [] : await symptomsOf(ours, call, deps),
          history: audit.map(({ at, who, what }) => ({ at: new Date(at).toISOString(), who, what })),
        };
        const head = `#${data.number} ${data.status}, ${data.severity}, ${data.environment}. ${data.title}`;
        const text = ofOthers(`${head}\n\n${data.description}`);
        return { data, text };
      },
    }),
    tool({
      name: 'get_result',
      title: 'Get the result',
      description: 'Root cause, how sure, evidence, what was ruled out, what to do.',
      input: z.object({ issue: WrittenNumber, version: z.number().int().min(1).optional() }),
      output: z.object({
        number: z.string(),
        version: z.number(),
        state: z.enum(['investigating', 'found', 'nothing_found', 'none']),
        rootCause: z.string().nullable(),
        confidence: z.string().nullable(),
        overview: z.string(),
        evidence: z.array(EvidenceItem),
        ruledOut: z.array(EvidenceItem),
        actions: z.array(
          z.object({
            title: z.string(),
            steps: z.array(z.object({ title: z.string(), required: z.boolean(), content: z.string() })),
          }),
        ),
        timeline: z.array(z.object({ at: z.string(), what: z.string() })),
      }),
      async run({ issue, version }, call) {
        const found = await readable(issue, call, deps);
        const latest = found.detail.latestVersion ?? found.ours?.version ?? 1;
        const results = await resultsOf(found, version ?? latest, deps);
        const data = resultOf(found, version ?? latest, results, (ref) =>
          deps.handles.seal('artifact', `${found.number}/${ref}`, call.caller),
        );
        return { data, text: ofOthers(resultText(data)), blocks: resultBlocks(data) };
      },
    }),
    tool({
      name: 'get_artifact',
      title: 'Get evidence',
      description: 'Evidence by its handle: at most 200 points or 50 lines.',
      input: z.object({ artifact: z.string().max(400) }),
      output: z.object({
        kind: z.string(),
        summary: z.string(),
        unit: z.string().nullable(),
        series: z.array(
          z.object({
            labels: z.record(z.string(), z.string()),
            points: z.array(z.tuple([z.string(), z.number()])),
          }),
        ),
        lines: z.array(z.string()),
        leftOut: z.number(),
      }),
      async run({ artifact }, call) {
        const opened = deps.handles.open('artifact', artifact, call.caller);
        if (opened === null)
          throw new ToolError('That is not a handle from get_result or ask: use one of theirs.');
        const [number = '', id = ''] = splitOnce(opened);
        // What one may read can have changed since the handle was given.
        const organization = number === '' ? 'default' : (await readable(number, call, deps)).organization;
        const [document] = await asked(deps.services.for(organization).artifacts.get([id], call.signal));
        if (document === undefined) throw new ToolError('The service no longer has this evidence.');
        const metric = readMetric(document);
        const all = metric === null ? factLines(document.data ?? {}) : [];
        const lines = all.slice(0, MOST_LINES);
        const series = metric === null ? { series: [], leftOut: all.length - lines.length } : bounded(metric);
        const data = {
          kind: document.type ?? 'unknown',
          summary: document.summary ?? '',
          unit: metric === null ? null : metric.unit,
          lines,
          ...series,
        };
        const left = data.leftOut === 0 ? '' : `\n${data.leftOut} more are left out.`;
        const last = data.series.map(
          ({ labels, points }) => `${JSON.stringify(labels)} last ${points.at(-1)?.[1] ?? 'unknown'}`,
        );
        return { data, text: ofOthers(`${data.summary}\n${[...lines, ...last].join('\n')}`) + left };
      },
    }),
    tool({
      name: 'explain_alert',
      title: 'Explain an alert',
      description: 'How Gumshoe reads an alert, or why an issue was filed.',
      input: z.object({
        issue: WrittenNumber.optional(),
        message: z
          .string()
          .max(MOST_MESSAGE)
          .optional()
          .describe('text, a Slack event as JSON, or a webhook body with source'),
        source: z.string().max(60).optional(),
      }),
      output: z.object({
        alerts: z.array(
          z.object({
            kind: z.string(),
            format: z.string(),
            title: z.string().nullable(),
            severity: z.string().nullable(),
            environment: z.string().nullable(),
            service: z.string().nullable(),
            fingerprint: z.string().nullable(),
          }),
        ),
        decisions: z.array(z.object({ at: z.string(), decision: z.string(), reason: z.string() })),
      }),
      async run({ issue, message, source }, call) {
        if ((issue === undefined) === (message === undefined))
          throw new ToolError('Give either issue or message.');
        if (message !== undefined) {
          const alerts = (await readAlerts(message, source, deps)).map(alertOf);
          return { data: { alerts, decisions: [] }, text: ofOthers(JSON.stringify(alerts)) };
        }
        const { ours } = await readable(issue ?? '', call, deps);
        if (ours === null) throw new ToolError('Gumshoe did not file this issue.');
        const rows = await deps.store.alerts.ofIssue(ours.id, 20, ours.channel);
        const decisions = rows.map(({ decidedAt, decision, reason }) => ({
          at: new Date(decidedAt).toISOString(),
          decision,
          reason: reasonWords(readReason(reason)),
        }));
        const who = ours.requestedBy === null ? '' : 'A person asked for it.\n';
        return {
          data: { alerts: [], decisions },
          text: who + ofOthers(decisions.map((one) => `${one.at} ${one.decision}: ${one.reason}`).join('\n')),
        };
      },
    }),
  ];
}

const EvidenceItem = z.object({
  title: z.string(),
  description: z.string(),
  confidence: z.string(),
  artifacts: z.array(z.object({ artifact: z.string(), title: z.string(), kind: z.string() })),
});

/** As much as Slack keeps of a message. */
const MOST_MESSAGE = 40_000;
const MOST_LINES = 50;
const MOST_POINTS = 200;
const MOST_EVIDENCE = 10;

function stated(filter: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

/** What the last investigation of a issuesPage issue found, as far as Gumshoe has it. */
export async function causeOfListed(
  { ours, summary }: Listed,
  { store }: McpDeps,
): Promise<Pick<z.input<typeof Listing>, 'rootCause' | 'state'>> {
  const cause = ours === null ? undefined : await causeOf(ours, store);
  if (cause === undefined)
    return { rootCause: null, state: summary.status === 'investigating' ? 'investigating' : 'none' };
  return { rootCause: cause, state: cause === null ? 'nothing_found' : 'found' };
}

function listLine(one: z.input<typeof Listing>): string {
  const facts = [one.severity, one.environment, ...(one.service === null ? [] : [one.service])].join(', ');
  const time = one.triggeredAt.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/u, '$1 $2 UTC');
  const cause = one.state === 'nothing_found' ? 'no cause found' : one.rootCause;
  const others =
    one.symptoms.length === 0 ? '' : ` (symptoms: ${one.symptoms.map((n) => `#${n}`).join(', ')})`;
  return `#${one.number} ${one.status}, ${time}, ${facts}: ${one.title}${cause === null ? '' : ` – ${cause}`}${others}`;
}

export async function briefOf({ number, detail, ours }: Readable, deps: McpDeps) {
  return {
    number: String(number),
    title: displayName({ title: detail.title ?? ours?.title ?? '', service: ours?.service }),
    status: await statusToTell(detail.status, ours, deps),
    severity: ours?.raisedSeverity ?? detail.severity ?? '',
    environment: detail.environment ?? ours?.environment ?? '',
    service: ours?.service ?? null,
    triggeredAt: detail.triggeredAt ?? '',
  };
}

/** `null` if the service has none. */
export async function resultsOf(
  { detail, organization }: Readable,
  version: number,
  deps: McpDeps,
): Promise<InvestigationResults | null> {
  const { issues } = deps.services.for(organization);
  return asked(
    issues.results(detail.uuid, { version }).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 404) return null;
      throw error;
    }),
  );
}

function resultOf(
  found: Readable,
  version: number,
  results: InvestigationResults | null,
  seal: (ref: string) => string,
) {
  const cause = results?.rootCause;
  const summary = cause?.rootCauseSummary?.trim() || null;
  const rootCause = cause?.isUnexplained === true ? null : summary;
  const isUnderWay = found.detail.status === 'investigating' && summary === null;
  const item = (one: {
    title?: string | undefined;
    description?: string | undefined;
    confidence?: string | undefined;
    artifacts?: ArtifactRef[] | undefined;
  }) => ({
    title: one.title ?? '',
    description: (one.description ?? '').slice(0, 1_000),
    confidence: one.confidence ?? '',
    artifacts: (one.artifacts ?? [])
      .slice(0, 5)
      .flatMap(({ documentId, title, dataType }) =>
        documentId ? [{ artifact: seal(documentId), title: title ?? '', kind: dataType ?? '' }] : [],
      ),
  });
  const state: 'investigating' | 'found' | 'nothing_found' | 'none' =
    rootCause !== null ? 'found' : isUnderWay ? 'investigating' : results === null ? 'none' : 'nothing_found';
  return {
    number: String(found.number),
    version,
    state,
    rootCause,
    confidence: cause?.relevantEvidence?.[0]?.confidence ?? null,
    overview: [rootCause === null ? summary : null, cause?.incidentOverview]
      .filter(Boolean)
      .join('\n')
      .slice(0, 2_000),
    evidence: (cause?.relevantEvidence ?? []).slice(0, MOST_EVIDENCE).map(item),
    ruledOut: (cause?.irrelevantEvidence ?? []).slice(0, MOST_EVIDENCE).map(item),
    actions: (results?.remediation?.actions ?? []).slice(0, 5).map(({ title = '', steps = [] }) => ({
      title,
      steps: steps.slice(0, 10).map((step) => ({
        title: step.title ?? '',
        required: step.required ?? false,
        content: (step.content ?? '').slice(0, 1_000),
      })),
    })),
    timeline: (results?.timeline ?? [])
      .slice(0, 20)
      .map(({ timestamp = '', title = '' }) => ({ at: timestamp, what: title })),
  };
}

type ResultData = ReturnType<typeof resultOf>;

const STATES = {
  investigating: 'is being investigated; ask again in a minute',
  found: 'has a root cause',
  nothing_found: 'was investigated, and no cause was found',
  none: 'has no results',
} as const;

function resultText(data: ResultData): string {
  const [first] = data.actions;
  return [
    `#${data.number} ${STATES[data.state]}.`,
    data.rootCause === null
      ? ''
      : `${data.rootCause}${data.confidence ? ` (confidence ${data.confidence})` : ''}`,
    data.overview,
    ...data.evidence.map((one) => `- ${one.title}: ${one.description}`),
    ...data.ruledOut.map((one) => `- Ruled out: ${one.title}`),
    first === undefined ? '' : `Do first: ${first.title}`,
    ...(first?.steps ?? []).map((step, n) => `${n + 1}. ${step.title}`),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** As many points as are allowed over all series: the newest of each. */
function bounded({ series, leftOut: unread }: Metric) {
  const shown = series.slice(0, 20);
  const each = Math.floor(MOST_POINTS / Math.max(1, shown.length));
  let leftOut = unread;
  for (const { samples } of series.slice(shown.length)) leftOut += samples.length;
  const bound = shown.map(({ attributes, samples }) => {
    const known = samples.filter(({ value }) => value !== null);
    leftOut += Math.max(0, known.length - each);
    return {
      labels: Object.fromEntries(attributes),
      points: known
        .slice(-each)
        .map(({ at, value }): [string, number] => [new Date(at).toISOString(), value ?? 0]),
    };
  });
  return { series: bound, leftOut };
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf('/');
  return [text.slice(0, at), text.slice(at + 1)];
}

async function readAlerts(message: string, source: string | undefined, deps: McpDeps): Promise<Alert[]> {
  if (source !== undefined) {
    const reading = await deps.webhookSources.read(source, message);
    if (reading === null) throw new ToolError(`There is no source "${source}".`);
    if (reading.kind === 'refused' || reading.kind === 'nothing') throw new ToolError(reading.reason);
    return reading.kind === 'alerts' ? reading.alerts.slice(0, 20).map(({ alert }) => alert) : [];
  }
  let event: unknown = { type: 'message', subtype: 'bot_message', bot_id: 'B0', ts: '0.0', text: message };
  if (/^\s*\{/u.test(message)) {
    try {
      const read: unknown = JSON.parse(message);
      event = z.object({ message: z.looseObject({}) }).safeParse(read).data?.message ?? read;
    } catch {
      // It is text that begins with a brace.
    }
  }
  return [parseAlert(event)];
}

function alertOf({ kind, format, title, severity, environment, service, fingerprint }: Alert) {
  return { kind, format, title, severity, environment, service, fingerprint };
}

/** An issue and what was found, as Markdown, for a resource. */
export async function issueMarkdown(
  written: string,
  call: { caller: Caller },
  deps: McpDeps,
): Promise<string> {
  const found = await readable(written, call, deps);
  const latest = found.detail.latestVersion ?? found.ours?.version ?? 1;
  const results = await resultsOf(found, latest, deps);
  const { title, status, severity, environment } = await briefOf(found, deps);
  const number = issueNumber({ organization: found.organization, number: found.detail.number });
  const data = resultOf(found, latest, results, (ref) => ref);
  return `# #${number} ${title}\n\n${status}, ${severity}, ${environment}\n\n${resultText(data)}\n`;
}
