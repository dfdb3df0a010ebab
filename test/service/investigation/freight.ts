import { investigate } from '../../../src/service/investigation/investigate.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { combine } from '../../../src/service/telemetry/combined.ts';
import type { Change } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { type MadeMetric, type MadeSystem, madeSource } from '../../support/made-source.ts';
import { causeIn } from './cases.ts';

export const MINUTE = 60_000;
const TRIGGER = Date.UTC(2026, 8, 14, 10, 30);
export const ONSET = TRIGGER - 8 * MINUTE;

/** Noise that is the same each time, between -1 and 1. */
export function noise(seed: number, at: number): number {
  const x = Math.sin(seed * 12.9898 + (at / MINUTE) * 78.233) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

/** From what a curve is like, and not from how many there were before: files of tests share this module, in any order. */
const seedOf = (...values: number[]) => values.reduce((seed, value) => (seed * 31 + value) % 9973, 7);

/** A level with some noise, and another from the onset on. */
export function level(usual: number, then = usual, since = ONSET): (at: number) => number {
  const seed = seedOf(usual, then, (since - ONSET) / MINUTE);
  return (at) => (at >= since ? then : usual) * (1 + 0.05 * noise(seed, at));
}

/** Climbs from the onset on. */
export function climb(from: number, to: number, minutes: number): (at: number) => number {
  const since = TRIGGER - minutes * MINUTE;
  const seed = seedOf(from, to, minutes);
  return (at) =>
    (at < since ? from : from + ((to - from) * Math.min(at - since, TRIGGER - since)) / (TRIGGER - since)) *
    (1 + 0.01 * noise(seed, at));
}

const SHIPPED = { namespace: 'freight', kind: 'Deployment' } as const;

/** Requests, errors and latency of a service. */
export function red(
  service: string,
  over: {
    errors?: (at: number) => number | null;
    latency?: (at: number) => number | null;
    requests?: (at: number) => number | null;
  } = {},
): MadeMetric[] {
  return [
    {
      service,
      measure: 'requests',
      unit: '{request}/s',
      label: 'throughput',
      at: over.requests ?? level(80),
    },
    { service, measure: 'errors', unit: '1', label: 'error rate', at: over.errors ?? level(0.002) },
    { service, measure: 'latency', unit: 's', label: 'p95 latency', at: over.latency ?? level(0.12) },
  ];
}

/** `portal` calls `booking`, which calls `tariffs`: `tariffs` is where the tests put the fault. */
export function system(
  own: {
    felt?: boolean;
    booking?: Parameters<typeof red>[1];
    tariffs?: Parameters<typeof red>[1];
    metrics?: readonly MadeMetric[];
  } & Partial<Omit<MadeSystem, 'metrics'>>,
): MadeSystem {
  const { felt = true, booking, tariffs, metrics = [], services, edges, ...rest } = own;
  return {
    services:
      services ??
      ['portal', 'booking', 'tariffs', 'printer'].map((name) => ({ name, workload: { ...SHIPPED, name } })),
    edges: edges ?? [
      { caller: 'portal', callee: 'booking' },
      { caller: 'booking', callee: 'tariffs' },
    ],
    metrics: [
      ...red('portal', felt ? { latency: level(0.2, 0.55), errors: level(0.002, 0.03) } : {}),
      ...red('booking', booking ?? (felt ? { latency: level(0.15, 0.5), errors: level(0.002, 0.06) } : {})),
      ...red('tariffs', tariffs ?? { latency: level(0.04, 0.42), errors: level(0.002, 0.12) }),
      ...red('printer'),
      ...metrics,
    ],
    ...rest,
  };
}

export function deploy(service: string, at: number, over: Partial<Change> = {}): Change {
  const title = `Deploy ${service} 7.3.0`;
  return {
    at,
    service,
    kind: 'deploy',
    title,
    version: '7.3.0',
    ref: null,
    url: null,
    details: null,
    ...over,
  };
}

/** @param beside another source that tells of the same system */
export async function found(
  made: MadeSystem,
  {
    title = 'Portal is slow',
    service = 'portal',
    metadata = {},
    tags = [],
    ago = 0,
  }: {
    title?: string;
    service?: string | null;
    metadata?: Record<string, unknown>;
    tags?: readonly string[];
    /** How long before the look the alert came. */
    ago?: number;
  } = {},
  beside: readonly TelemetrySource[] = [],
) {
  let count = 0;
  const investigation = await investigate(
    {
      title,
      description: '',
      environment: 'production',
      triggeredAt: TRIGGER - ago,
      moment: TRIGGER,
      service,
      context: { metadata, tags },
    },
    combine([madeSource(made), ...beside]),
    { id: () => `id-${++count}`, now: TRIGGER + 5000, budget: UNLIMITED },
  );
  const { rootCause, remediation } = investigation.results;
  const steps = (remediation.actions ?? []).flatMap((action) => action.steps ?? []);
  return {
    cause: causeIn(investigation),
    summary: rootCause.rootCauseSummary ?? '',
    overview: rootCause.incidentOverview ?? '',
    commands: steps.filter(({ type }) => type === 'command').map(({ content }) => content),
    investigation,
    causes: (investigation.results.causalTreeV2.nodes ?? [])
      .filter(({ nodeType }) => nodeType === 'cause')
      .map(({ title }) => title),
    evidence: rootCause.relevantEvidence ?? [],
    actions: (remediation.actions ?? []).map(({ title: action }) => action),
  };
}
