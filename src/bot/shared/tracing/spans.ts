import { createHash } from 'node:crypto';
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

/** Each issue and each question has its own trace. */
export type Subject = `issue:${string}` | `question:${string}`;

interface Ids {
  traceId: string;
  spanId: string;
}

/** The ids of the trace's first span, for the id generator. */
export const ROOT_IDS = createContextKey('the ids of the first span');
const BEGUN = createContextKey('the subjects that a delivery has begun');

const tracer = () => trace.getTracer('gumshoe');

/**
 * The ids of a subject's trace and of its first span. They are derived from the subject, so that its trace continues
 * after a restart or on another replica without storing anything.
 */
function idsOf(subject: Subject): Ids {
  const hash = createHash('sha256').update(subject).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

/**
 * Handles a delivery. If it begins an issue or a question (see `begins`), that subject's trace starts with a span for
 * the delivery.
 *
 * @param receivedAt milliseconds
 */
export async function arriving<T>(name: string, receivedAt: number, work: () => Promise<T>): Promise<T> {
  const begun = new Set<Subject>();
  try {
    return await context.with(ROOT_CONTEXT.setValue(BEGUN, begun), work);
  } finally {
    for (const subject of begun) {
      const root = ROOT_CONTEXT.setValue(ROOT_IDS, idsOf(subject));
      const kind = SpanKind.CONSUMER;
      context
        .with(root, () =>
          tracer().startSpan(name, {
            root: true,
            startTime: receivedAt,
            kind,
            attributes: attributesOf(subject),
          }),
        )
        .end();
    }
  }
}

/** The delivery being handled begins this subject. Has no effect outside a delivery. */
export function begins(subject: Subject): void {
  const begun = context.active().getValue(BEGUN);
  if (begun instanceof Set) begun.add(subject);
}

/** Does work in which `begins` has no effect. */
export function untraced<T>(work: () => Promise<T>): Promise<T> {
  return context.with(ROOT_CONTEXT, work);
}

/** Does work on a subject as a span of its trace. Calls made during it become child spans. */
export function traced<T>(
  subject: Subject,
  name: string,
  work: () => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const parent = trace.setSpanContext(ROOT_CONTEXT, {
    ...idsOf(subject),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
  return inSpan(name, SpanKind.INTERNAL, { ...attributesOf(subject), ...attributes }, parent, work);
}

/** Makes a call as a span, if it is part of something traced. */
export function tracedCall<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (trace.getActiveSpan() === undefined) return work();
  return inSpan(name, SpanKind.CLIENT, attributes, context.active(), work);
}

/** Records a call that just ended and took `ms` milliseconds; like `tracedCall`. */
export function callWasMade(name: string, ms: number, error: string | null, attributes: Attributes): void {
  if (trace.getActiveSpan() === undefined) return;
  const now = Date.now();
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, startTime: now - ms, attributes });
  if (error !== null) failed(span, error);
  span.end(now);
}

async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer().startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    // The message may quote text that people wrote.
    failed(span, error instanceof Error ? error.name : 'Error');
    throw error;
  } finally {
    span.end();
  }
}

function failed(span: Span, error: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error);
}

function attributesOf(subject: Subject): Attributes {
  const [kind, ...id] = subject.split(':');
  return { [`gumshoe.${kind}.id`]: id.join(':') };
}
