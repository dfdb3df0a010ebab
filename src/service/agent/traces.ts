import { z } from 'zod';
import { amount, duration, timeOfDay } from '../investigation/format.ts';
import type { Span } from '../telemetry/model.ts';
import { subjectOf } from './issue-scope.ts';
import { momentOf } from './moment.ts';
import { services, tool, window, windowOf } from './tool.ts';
import { commonOf, tellingOf } from './tools/common.ts';
import { sharesOf } from './tools/shares.ts';
import type { Turn } from './understand.ts';
import { commonInWords } from './words/common.ts';
import { sharesInWords } from './words/shares.ts';

const MOST_TRACES = 5;
const MOST_SHOWN = 2;
export const TRACE_ID = /\b[0-9a-f]{16,32}\b/iu;
const SLOWER =
  /\b(?:longer|slower|more|over|above|exceed(?:s|ing)?|at least)\b\s*(?:than\s*)?(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?)\b|>=?\s*(\d+(?:\.\d+)?)\s*(ms|s)\b/iu;

/** Which requests of checkout took longer than 2 s? Show me a failing trace. */
export const traces = tool({
  name: 'traces',
  answers:
    'single requests through the services: the slowest, those that failed, or one by its trace id, and where the time went',
  example: 'Show the slowest traces of {service}',
  input: z.object({
    services,
    ...window,
    slowerThanMs: z.number().min(0).default(0),
    failing: z.boolean().default(false),
    /** What the slow or the failing ones have in common, rather than a list. */
    common: z.enum(['slow', 'failing']).nullable().default(null),
    /** The question: it may ask for a label. */
    asked: z.string().max(1_000).default(''),
    traceId: z.string().max(64).nullable().default(null),
  }),
  fill: (turn, facts) => {
    const slower = SLOWER.exec(turn.question);
    const [value, unit] = [slower?.[1] ?? slower?.[3], slower?.[2] ?? slower?.[4] ?? 's'];
    return {
      services: [...(commonIn(turn) === null ? turn.services : turn.named)],
      ...turn.window,
      to: turn.at < facts.now ? turn.window.to : facts.now + 1,
      slowerThanMs: Number(value ?? 0) * (/^m/iu.test(unit) ? 1 : 1000),
      common: commonIn(turn),
      asked: turn.question.slice(0, 1_000),
      failing: /\b(?:fail|error|broken)/iu.test(turn.words),
      traceId: TRACE_ID.exec(turn.question)?.[0]?.toLowerCase() ?? null,
    };
  },
  run: async ({ services: own, slowerThanMs, failing, traceId, common, asked, ...args }, facts) => {
    const service = subjectOf({ services: own }, facts);
    const over = windowOf(args, facts.now);
    const view = await facts.look(over, service === null ? null : [service]);
    const where = service === null ? '' : ` of ${service}`;
    const span = `the ${duration(over.to - over.from)} before ${momentOf(over.to, facts.now)}`;
    if (common !== null) {
      if (service === null) return { data: {}, text: 'The traces of which service?' };
      // What calls that fail have in common, what they call may know better.
      const involved =
        own.length > 0
          ? [service]
          : [
              ...new Set([
                service,
                ...(facts.view.node(service)?.calls ?? []),
                ...(facts.scope?.causes ?? []),
                ...(facts.scope?.services ?? []),
              ]),
            ];
      const wide = involved.length === 1 ? view : await facts.look(over, involved);
      const compared = involved.map((name) => {
        const spans = wide.snapshot.spans.filter((one) => one.service === name);
        return { name, found: commonOf(wide.logs(name, over), spans, common) };
      });
      const shares = await sharesOf(asked, involved, facts);
      if (shares !== null) return { data: { shares }, text: sharesInWords(shares) };
      const { name, found } = compared.reduce((a, b) => (tellingOf(b.found) > tellingOf(a.found) ? b : a));
      return { data: { common: found }, text: commonInWords(found, name, span) };
    }
    const all = [...Map.groupBy(view.snapshot.spans, (one) => one.traceId).values()].filter(
      (spans) => service === null || spans.some((one) => one.service === service),
    );
    if (all.length === 0) {
      const gap = view.gaps.find(({ what }) => what === 'traces');
      const why =
        gap === undefined ? 'Traces are read from Tempo or Jaeger, if one is connected.' : gap.reason;
      return { data: { traces: [] }, text: `I have no traces${where} in ${span}. ${why}` };
    }
    const chosen = all
      .map((spans) => ({ spans, root: rootOf(spans), own: partOf(spans, service) }))
      .filter(
        ({ spans, own: part }) =>
          part >= slowerThanMs && (!failing || spans.some(({ failed }) => failed === true)),
      )
      .filter(({ root }) => traceId === null || root.traceId.toLowerCase() === traceId)
      .sort((a, b) => b.own - a.own);
    const kind = [
      ...(failing ? ['failed'] : []),
      ...(slowerThanMs > 0 ? [`took longer than ${amount(slowerThanMs, 'ms')}`] : []),
      ...(traceId === null ? [] : [`has the id ${traceId}`]),
    ].join(' and ');
    if (chosen.length === 0)
      return {
        data: { traces: [] },
        text: `None of the ${all.length} traces${where} that I read in ${span} ${kind || 'fits'}. Traces are sampled, so there may be others.`,
      };
    const shown = chosen.slice(0, MOST_TRACES);
    for (const { spans } of shown.slice(0, MOST_SHOWN)) facts.evidenceStore.trace(spans);
    return {
      says: { relation: 'exists', holds: true },
      data: {
        read: all.length,
        traces: shown.map(({ root, own: part, spans }) => ({
          id: root.traceId,
          at: new Date(root.at).toISOString(),
          operation: root.operation,
          durationMs: part,
          slowest: slowestIn(spans),
          failedIn: spans.findLast(({ failed }) => failed === true)?.service ?? null,
        })),
      },
      text: [
        `**Traces${where}** in ${span}: ${kind === '' ? '' : `${chosen.length} of `}${all.length} read${kind === '' ? '' : ` ${kind}`}. The slowest first:`,
        '',
        ...shown.map(({ root, own: part, spans }) => lineOf(root, part, spans)),
      ].join('\n'),
    };
  },
});

function commonIn({ aspect, words }: Turn): 'slow' | 'failing' | null {
  if (aspect !== 'common') return null;
  return /\bslow|\blong|\blatenc/iu.test(words) ? 'slow' : 'failing';
}

function rootOf(spans: readonly Span[]): Span {
  const [first] = spans;
  if (first === undefined) throw new Error('a trace has at least one span');
  return spans.find(({ parentSpanId }) => parentSpanId === null) ?? first;
}

/** How long the service took in a trace; without one, the whole trace. */
function partOf(spans: readonly Span[], service: string | null): number {
  const own = service === null ? [rootOf(spans)] : spans.filter((one) => one.service === service);
  return Math.max(...own.map(({ durationMs }) => durationMs));
}

/** Where the most time went that was not spent in further spans. */
function slowestIn(spans: readonly Span[]): { service: string; operation: string; ms: number } {
  const own = spans.map((span) => {
    const children = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
    const within = children.reduce((sum, { durationMs }) => sum + durationMs, 0);
    return { service: span.service, operation: span.operation, ms: Math.max(0, span.durationMs - within) };
  });
  return own.reduce((a, b) => (b.ms > a.ms ? b : a));
}

function lineOf(root: Span, ms: number, spans: readonly Span[]): string {
  const slowest = slowestIn(spans);
  const failed = spans.findLast((span) => span.failed === true);
  const code = (text: string) => `\`${text.slice(0, 120).replaceAll('`', "'")}\``;
  const failure =
    failed === undefined
      ? ''
      : `; failed in ${failed.service}${failed.message === null ? '' : `: ${code(failed.message)}`}`;
  return `- ${timeOfDay(root.at)}, ${amount(ms, 'ms')}: ${code(root.operation)}, ${amount(slowest.ms, 'ms')} of it in ${slowest.service} ${code(slowest.operation)}${failure} (trace ${root.traceId})`;
}
