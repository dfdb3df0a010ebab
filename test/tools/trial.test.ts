import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { trialBy } from '../../src/tools/trial.ts';
import { call, launch } from '../support/call.ts';
import { manualClock } from '../support/manual-clock.ts';
import { prometheusServer } from '../support/prometheus-server.ts';
import { type Route, scriptedSource } from '../support/scripted-source.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 5, 14, 12);
/** Two bad hours: the press fails in both, and an alert fires four minutes after each begins. */
const ONSETS = [NOW - 30 * HOUR, NOW - 5 * HOUR];
const clock = manualClock(NOW);

const isBad = (at: number) => ONSETS.some((onset) => at >= onset && at < onset + 40 * MINUTE);
const firesAt = (at: number) => ONSETS.some((onset) => at >= onset + 4 * MINUTE && at < onset + 40 * MINUTE);

/** A Prometheus that also has what its rules wrote, every 15 seconds. */
async function prometheus(options: { onQuery?: (query: string) => void } = {}) {
  const routes = prometheusServer([
    { job: 'press', errors: (at) => (isBad(at) ? 0.4 : 0.002) },
    { job: 'bindery', errors: () => 0.001 },
  ]);
  const metric = { __name__: 'ALERTS', alertname: 'PressFails', alertstate: 'firing', job: 'press' };
  const also = (path: string, answer: Route['answer']): Record<string, Route> => {
    const route = routes[path];
    if (route === undefined) throw new Error(`no ${path}`);
    return {
      [path]: {
        ...route,
        answer: (asked) => {
          options.onQuery?.(asked.parameters.query ?? '');
          return asked.parameters.query?.includes('ALERTS') ? answer(asked) : route.answer(asked);
        },
      },
    };
  };
  const matrix = (values: [number, string][]) => ({
    status: 'success',
    data: { resultType: 'matrix', result: values.length === 0 ? [] : [{ metric, values }] },
  });
  const { url } = await scriptedSource({
    ...routes,
    ...also('/api/v1/query_range', ({ parameters: { start, end, step } }) => {
      const values: [number, string][] = [];
      for (let at = Number(start); at <= Number(end); at += Number(step))
        if (firesAt(at * 1000) || firesAt(at * 1000 - MINUTE)) values.push([at, '1']);
      return matrix(values);
    }),
    ...also('/api/v1/query', ({ parameters: { time } }) => {
      const values: [number, string][] = [];
      const end = Math.floor(Number(time) / 15) * 15;
      for (let at = end - 45; at <= end; at += 15) if (firesAt(at * 1000)) values.push([at, '1']);
      return matrix(values);
    }),
  });
  return url;
}

async function place(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trial-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'trial.html');
}

describe('npm run trial', () => {
  it('writes what it would have said of the alerts of the last days, with three lines and the path', async () => {
    const out = await place();
    const { code, stdout, stderr } = await call(trialBy(clock), ['--days', '2', '--out', out], {
      PROMETHEUS_URL: await prometheus(),
    });
    expect(stdout.trimEnd().split('\n')).toEqual([
      '2 alerts in 2 days, 2 without repeats, 2 problems: a cause named in 0, none found in 2.',
      expect.stringMatching(/^Not seen: No logs could be read\. 2 of 2 problems .* set LOKI_URL/u),
      expect.stringMatching(/^\d+ requests in 0 s; for 0 s of it the sources were working on one\.$/u),
      out,
    ]);
    expect(stderr).toContain('2 of 2, 0 s left · 2026-06-14 07:04 PressFails: ');
    expect(code).toBe(0);
    const page = await readFile(out, 'utf8');
    expect(page.match(/<tr class="row">/gu)).toHaveLength(2);
    // Alerts and log lines are for whoever ran it.
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(existsSync(`${out}.progress`)).toBe(false);
  });

  it('keeps what is there when it is stopped, and goes on from there', async () => {
    const out = await place();
    let queries = 0;
    const stopping = { PROMETHEUS_URL: await prometheus({ onQuery: () => queries++ }) };
    const running = launch(trialBy(clock), ['--days', '2', '--out', out], stopping);
    await running.prints(/x|/u);
    while (!running.printed.stderr.includes('1 of 2')) await new Promise(setImmediate);
    running.emit('SIGINT');
    expect(await running.ended).toBe(0);
    expect(running.printed.stdout).toContain('Stopped after 1 of 2: the same command goes on from here.');
    expect((await readFile(out, 'utf8')).match(/<tr class="row">/gu)).toHaveLength(1);

    const { stdout, stderr } = await call(trialBy(clock), ['--days', '2', '--out', out], stopping);
    expect(stderr).toContain('Going on: 1 of 2 were investigated before.');
    expect(stderr).not.toContain('1 of 2, ');
    expect(stdout).toContain('2 alerts in 2 days');
    expect((await readFile(out, 'utf8')).match(/<tr class="row">/gu)).toHaveLength(2);
  });

  it('says what to do if nothing is configured, nothing fired, or a word is wrong', async () => {
    const nothing = await call(trialBy(clock), [], {});
    expect(nothing).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('set PROMETHEUS_URL (such as http://prometheus:9090), or GRAFANA_URL'),
    });
    const quiet = await call(trialBy(clock), ['--days', '1', '--out', await place(), '--limit', '3'], {
      PROMETHEUS_URL: (await scriptedSource(prometheusServer([]))).url,
    });
    expect(quiet).toMatchObject({ code: 1, stdout: '' });
    expect(quiet.stderr).toContain('No alert fired in the last day');
    expect(await call(trialBy(clock), ['--days', 'many'], {})).toMatchObject({ code: 2 });
    const unreachable = await call(trialBy(clock), ['--out', await place()], {
      PROMETHEUS_URL: 'http://127.0.0.1:1',
    });
    expect(unreachable).toMatchObject({ code: 1 });
    expect(unreachable.stderr).toContain('No alerts could be read: ');
  });
});
