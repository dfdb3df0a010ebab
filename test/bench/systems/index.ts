import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { cpuSeconds, grid, peakMegabytes } from '../measure.ts';
import { type LargeSystem, writeLargeSystem } from './large-system.ts';
import { hasPrometheus, servePrometheus } from './prometheus.ts';
import { SERVICE_KEY, startServiceOver } from './service-process.ts';
import { hasVictoriaMetrics, serveVictoriaMetrics } from './victoria-metrics.ts';
import { pointsAsked, type WatchedSource, watchSource } from './watched-source.ts';

const MINUTE = 60_000;
/** More than this is more than a Prometheus is meant for. */
const MOST_IN_PROMETHEUS = 2_000;
const ENDED_WITHIN_MS = 180_000;

/** What one investigation of a large system costs, and whether it is right. */
export interface Investigated {
  system: LargeSystem;
  server: 'Prometheus' | 'VictoriaMetrics';
  instances: number;
  requests: number;
  samples: number;
  mostAtOnce: number;
  mostPoints: number;
  megabytesRead: number;
  seconds: number;
  /** Of the whole process, before and at its largest. */
  startMegabytes: number;
  peakMegabytes: number;
  cpuSeconds: number;
  summary: string | null;
  overview: string;
}

/**
 * Starts a real Prometheus, or for a larger system a VictoriaMetrics, over hours of history of so many services, and the
 * service on it, as the image runs it; an alert names what is three calls above the fault. `null` if neither is here.
 */
export async function benchSystems(services: number): Promise<Investigated | null> {
  const isLarge = services > MOST_IN_PROMETHEUS;
  if (isLarge ? !hasVictoriaMetrics() : !hasPrometheus()) return null;
  const to = Math.floor(Date.now() / MINUTE) * MINUTE;
  const instances = services < 1_000 ? 5 : 2;
  let system: LargeSystem | null = null;
  const write = (path: string) => {
    const times = { from: to - 200 * MINUTE, to, stepMs: MINUTE };
    system = writeLargeSystem(path, { services, instances, times });
  };
  const server = isLarge
    ? await serveVictoriaMetrics([write], { megabytes: 2_000 })
    : await servePrometheus([write]);
  const watched = await watchSource(server.url);
  try {
    if (system === null) return null;
    const measured = await investigated(system, watched, to);
    return { ...measured, instances, server: isLarge ? 'VictoriaMetrics' : 'Prometheus' };
  } finally {
    await watched.close();
    await server.stop();
  }
}

async function investigated(
  system: LargeSystem,
  watched: WatchedSource,
  at: number,
): Promise<Omit<Investigated, 'server' | 'instances'>> {
  const { url, pid, stop } = await startServiceOver(watched.url);
  try {
    // At its start the service reads what the source has, for its health.
    await settled(watched);
    const before = watched.asked.length;
    const startMegabytes = peakMegabytes(pid);
    const cpu = cpuSeconds(pid);
    const began = performance.now();
    const issue = await call(url, '/issues', Created, {
      title: `High error ratio on ${system.symptom}`,
      description: 'Many requests fail.',
      environment: 'production',
      triggeredAt: new Date(at).toISOString(),
      context: { service: system.symptom },
    });
    const done = await untilDone(url, issue.uuid);
    const seconds = (performance.now() - began) / 1000;
    const asked = watched.asked.slice(before);
    return {
      system,
      requests: asked.length,
      samples: asked.reduce((sum, { samples }) => sum + samples, 0),
      mostAtOnce: watched.mostAtOnce(),
      mostPoints: Math.max(...asked.map(pointsAsked)),
      megabytesRead: asked.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
      seconds,
      startMegabytes,
      peakMegabytes: peakMegabytes(pid),
      cpuSeconds: cpuSeconds(pid) - cpu,
      summary: done.rootCauseSummary ?? null,
      overview: done.incidentOverview,
    };
  } finally {
    await stop();
  }
}

/** Waits until a source has not been asked anything for a while. */
async function settled(watched: WatchedSource): Promise<void> {
  for (let before = -1; before < watched.received(); await sleep(1_000)) before = watched.received();
}

const Created = z.looseObject({ uuid: z.string() });
const Issue = z.looseObject({ versions: z.array(z.looseObject({ status: z.string() })) });
const Results = z.looseObject({
  rootCause: z.looseObject({ incidentOverview: z.string(), rootCauseSummary: z.string().optional() }),
});

async function call<T>(url: string, path: string, schema: z.ZodType<T>, body?: object): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return schema.parse(await answer.json());
}

async function untilDone(url: string, uuid: string): Promise<z.infer<typeof Results>['rootCause']> {
  const deadline = Date.now() + ENDED_WITHIN_MS;
  for (;;) {
    const { versions } = await call(url, `/issues/${uuid}`, Issue);
    if (versions.every(({ status }) => status !== 'RUNNING')) break;
    if (Date.now() > deadline) throw new Error('The investigation did not end.');
    await sleep(100);
  }
  return (await call(url, `/issues/${uuid}/results`, Results)).rootCause;
}

/** The table as text, or a line that says why there is none. */
export function systemsTable(services: number, measured: Investigated | null): string {
  if (measured === null)
    return 'No `prometheus` and `promtool`, or `victoria-metrics`, here (apt-get install prometheus victoria-metrics): large systems are not measured.';
  const { system, server, instances, summary, overview } = measured;
  const asked = services > 1_000 ? { requests: 150, seconds: 8 } : { requests: 100, seconds: 4 };
  const right = summary?.includes(system.cause) ? `yes: ${summary}` : `no: ${summary ?? overview}`;
  const rows = [
    [`${services} services of ${instances} instances, ${server}`, 'measured', 'asked'],
    ['requests', String(measured.requests), `≤ ${asked.requests}`],
    ['samples', String(measured.samples), ''],
    ['of them at a time', String(measured.mostAtOnce), '≤ 8'],
    ['points a series, at most', String(measured.mostPoints), '≤ 11000'],
    ['read, MB', measured.megabytesRead.toFixed(1), ''],
    ['seconds', measured.seconds.toFixed(1), `≤ ${asked.seconds}`],
    ['processor time, seconds', measured.cpuSeconds.toFixed(1), ''],
    ['memory of the process before, MB', measured.startMegabytes.toFixed(0), ''],
    ['memory of the process at its largest, MB', measured.peakMegabytes.toFixed(0), '≤ 300'],
  ];
  return `${grid(rows)}\n\n${system.series} series; the fault is in ${system.cause}, the alert names ${system.symptom}\nright: ${right}`;
}
