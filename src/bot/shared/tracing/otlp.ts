import { randomUUID } from 'node:crypto';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { z } from 'zod';
import { ROOT_IDS } from './spans.ts';

/** An unresponsive receiver delays a shutdown by at most this. */
const EXPORT_TIMEOUT_MS = 3_000;

const RootIds = z.object({ traceId: z.string(), spanId: z.string() });

export interface OtlpOptions {
  /** The base address of an OTLP receiver over HTTP, without `v1/traces`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  version: string;
  /** Spans were lost: the receiver refused them, or did not answer. */
  onLost: (error: unknown, spans: number) => void;
}

/** Starts sending spans to an OTLP receiver. Everything in this process is traced. */
export function startTracing({ endpoint, headers, version, onLost }: OtlpOptions): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/u, '')}/v1/traces`,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'gumshoe',
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    idGenerator,
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, onLost) })],
  });
  trace.setGlobalTracerProvider(provider);
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  return {
    stop: async () => {
      trace.disable();
      context.disable();
      // Spans that could not be sent were already reported.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

const random = new RandomIdGenerator();

/** Random, except for the first span of a trace, whose ids are derived from the trace's subject. */
const idGenerator: IdGenerator = {
  generateTraceId: () => rootIds()?.traceId ?? random.generateTraceId(),
  generateSpanId: () => rootIds()?.spanId ?? random.generateSpanId(),
};

function rootIds(): z.infer<typeof RootIds> | null {
  return RootIds.safeParse(context.active().getValue(ROOT_IDS)).data ?? null;
}

function reporting(exporter: SpanExporter, onLost: OtlpOptions['onLost']): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0) onLost(result.error, spans.length);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
