import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { cpuSeconds, grid, peakMegabytes } from '../measure.ts';
import { type LargeSystem, writeLargeSystem } from './large-system.ts';
import { hasPrometheus, servePrometheus } from './prometheus.ts';
import { SERVICE_KEY, startServiceOver } from './service-process.ts';
import { pointsAsked, type WatchedSource, watchSource } from './watched-source.ts';

const MINUTE = 60_000;
const INSTANCES = 5;
const ENDED_WITHIN_MS = 180_000;

/** What one investigation of a large system costs, and whether it is right. */
export interface Investigated {
  system: LargeSystem;
  requests: number;
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
 * Starts a real Prometheus over hours of history of so many services with five instances each, and the service on it, as the
 * image runs it; an alert names what is three calls above the fault. `null` if there is no Prometheus here.
 */
export async function benchSystems(services: number): Promise<Investigated | null> {
  if (!hasPrometheus()) return null;
  const to = Math.floor(Date.now() / MINUTE) * MINUTE;
  let system: LargeSystem | null = null;
  const write = (path: string) => {
    const times = { from: to - 200 * MINUTE, to, stepMs: MINUTE };
    system = writeLargeSystem(path, { services, instances: INSTANCES, times });
  };
  const prometheus = await servePrometheus([write]);
  const watched = await watchSource(prometheus.url);
  try {
    return system === null ? null : await investigated(system, watched, to);
  } finally {
    await watched.close();
    await prometheus.stop();
  }
}

async function investigated(system: LargeSystem, watched: WatchedSource, at: number): Promise<Investigated> {
  const { url, pid, stop } = await startServiceOver(watched.url);
  try {
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
    return {
      system,
      requests: watched.asked.length,
      mostAtOnce: watched.mostAtOnce(),
      mostPoints: Math.max(...watched.asked.map(pointsAsked)),
      megabytesRead: watched.asked.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
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
    return 'No `prometheus` and `promtool` here (apt-get install prometheus): large systems are not measured.';
  const { system, summary, overview } = measured;
  const right = summary?.includes(system.cause) ? `yes: ${summary}` : `no: ${summary ?? overview}`;
  const rows = [
    [`${services} services of ${INSTANCES} instances`, 'measured', 'asked'],
    ['requests', String(measured.requests), '≤ 300'],
    ['of them at a time', String(measured.mostAtOnce), '≤ 8'],
    ['points a series, at most', String(measured.mostPoints), '≤ 11000'],
    ['read, MB', measured.megabytesRead.toFixed(1), ''],
    ['seconds', measured.seconds.toFixed(1), '≤ 60'],
    ['processor time, seconds', measured.cpuSeconds.toFixed(1), ''],
    ['memory of the process before, MB', measured.startMegabytes.toFixed(0), ''],
    ['memory of the process at its largest, MB', measured.peakMegabytes.toFixed(0), '≤ 300'],
  ];
  return `${grid(rows)}\n\n${system.series} series; the fault is in ${system.cause}, the alert names ${system.symptom}\nright: ${right}`;
}
