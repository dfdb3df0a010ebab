import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startChild, untilPrinted } from '../../support/child.ts';
import { patientServer } from '../../support/patient-server.ts';
import { until } from '../../support/until.ts';
import { ISSUE, temporaryFolder } from '../support.ts';

/** What `deploy/kubernetes` allows: a liveness probe waits this long, and the bot has this much memory. */
const PROBE_MS = 5_000;
const MEMORY_KB = 512 * 1024;
/** In a container of that memory Node takes half of it as its heap; here it would take this machine's. */
const AS_IN_THE_CONTAINER = '--max-semi-space-size=4 --max-old-space-size=256';

const NAMES = [
  'up',
  'http_requests_total',
  'http_request_duration_seconds_bucket',
  'process_resident_memory_bytes',
];

/** A result of so many series, all with the same values. */
function* result(type: 'vector' | 'matrix', series: number, points: number): Generator<string> {
  const now = Date.now() / 1000;
  const pairs = Array.from({ length: points }, (_, p) => [now - (points - p) * 60, `${Math.sin(p) + 1}`]);
  const values = type === 'vector' ? `"value":[${now},"1"]` : `"values":${JSON.stringify(pairs)}`;
  yield `{"status":"success","data":{"resultType":"${type}","result":[`;
  for (let i = 0; i < series; i++)
    yield `${i === 0 ? '' : ','}{"metric":{"job":"service-${i}","instance":"10.0.0.${i}"},${values}}`;
  yield ']}}';
}

async function send(res: ServerResponse, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) {
    if (res.destroyed) return;
    if (!res.write(piece))
      await Promise.race([delay(50), new Promise((resolve) => res.once('drain', resolve))]);
  }
  res.end();
}

/** A Prometheus whose every query returns that much. */
async function largePrometheus(series: number, points: number): Promise<string> {
  const server = patientServer((req, res) => {
    const { pathname } = new URL(req.url ?? '', 'http://prometheus');
    req.resume();
    if (pathname.endsWith('/values')) void send(res, [JSON.stringify({ status: 'success', data: NAMES })]);
    else if (pathname.endsWith('/query')) void send(res, result('vector', Math.min(series, 20_000), 1));
    else if (pathname.endsWith('/query_range')) void send(res, result('matrix', series, points));
    else void send(res, ['{"status":"success","data":{"groups":[]}}']);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
}

it.each([
  ['50 MB', 5_000, 360],
  ['20,000 series', 20_000, 60],
  ['an answer without an end', Number.MAX_SAFE_INTEGER, 100],
])(
  '%s from every query: three investigations end, alive and in little memory',
  async (_name, series, points) => {
    const child = startChild('src/service.ts', {
      PORT: '0',
      DATABASE_URL: `sqlite:${join(temporaryFolder(), 'service.db')}`,
      PROMETHEUS_URL: await largePrometheus(series, points),
      LOG_LEVEL: 'fatal',
      NODE_OPTIONS: AS_IN_THE_CONTAINER,
    });
    onTestFinished(async () => {
      child.process.kill('SIGKILL');
      await child.ended;
    });
    const [, url = '', key = ''] = await untilPrinted(child, /listening at (\S+)\nAPI key: (\S+)/u);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const call = async (path: string, init: RequestInit = {}): Promise<{ [field: string]: unknown }> =>
      Object(await (await fetch(`${url}${path}`, { ...init, headers })).json());
    const body = JSON.stringify(ISSUE);
    const issues = await Promise.all([1, 2, 3].map(() => call('/issues', { method: 'POST', body })));
    const alive = async () =>
      (await fetch(`${new URL(url).origin}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) })).status;
    for (const { uuid } of issues) {
      await until('the investigation ended', async () => {
        expect(await alive()).toBe(200);
        return !JSON.stringify(await call(`/issues/${uuid}`)).includes('RUNNING');
      });
      // On a machine so busy that nothing can be read in time, it says that it has not investigated.
      if (JSON.stringify(await call(`/issues/${uuid}`)).includes('"FAILED"')) continue;
      expect(await call(`/issues/${uuid}/results`)).toMatchObject({
        rootCause: {
          incidentOverview: expect.stringMatching(
            /More samples than an investigation may read|returned more than 5000 series|more than 16 MiB/u,
          ),
        },
      });
    }
    const peak = Number(
      /VmHWM:\s+(\d+) kB/u.exec(readFileSync(`/proc/${child.process.pid}/status`, 'utf8'))?.[1],
    );
    expect(peak).toBeLessThan(MEMORY_KB);
  },
);
