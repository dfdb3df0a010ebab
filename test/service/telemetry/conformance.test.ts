import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Budget, createBudget } from '../../../src/service/telemetry/budget.ts';
import { createGitHubSource } from '../../../src/service/telemetry/changes/github.ts';
import { createGitLabSource } from '../../../src/service/telemetry/changes/gitlab.ts';
import { createGrafanaSource } from '../../../src/service/telemetry/grafana.ts';
import type { Reading } from '../../../src/service/telemetry/model.ts';
import { SOURCE_KINDS } from '../../../src/service/telemetry/open-sources.ts';
import type { OpenSource } from '../../../src/service/telemetry/source.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { patientServer } from '../../support/patient-server.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const TOKEN = 'hush-hush-hush';
const clock = manualClock(NOON);

type Open = (url: string) => OpenSource;

/** Every source that is asked over HTTP. */
const SOURCES: Readonly<Record<string, Open>> = {
  ...Object.fromEntries(
    SOURCE_KINDS.map(({ name, open }): [string, Open] => [
      name,
      (url) => open({ url, token: TOKEN }, { clock }),
    ]),
  ),
  github: (url) => createGitHubSource({ url, repositories: ['acme/press'], token: TOKEN }),
  gitlab: (url) => createGitLabSource({ url, projects: ['acme/press'], token: TOKEN }),
  grafana: (url) =>
    createGrafanaSource(
      { url, publicUrl: url, token: TOKEN, datasources: null },
      { clock, kinds: SOURCE_KINDS, configured: new Set<string>() },
    ),
};

/** Everything that a source can be asked, at once. */
async function askAll(source: OpenSource, budget: Budget) {
  const alert = { name: 'HighErrorRate', labels: { job: 'press' } };
  source.focus?.(alert.labels, WINDOW, budget);
  const answers: Reading<unknown>[] = await Promise.all([
    source.services(WINDOW, budget),
    source.edges(WINDOW, budget),
    source.signals(WINDOW, budget),
    source.series({ signals: ['x'], stepMs: 60_000 }, WINDOW, budget),
    source.logs('press', WINDOW, budget),
    source.logs(null, WINDOW, budget),
    source.spans('press', WINDOW, budget),
    source.spans(null, WINDOW, budget),
    source.changes(WINDOW, budget),
    source.alertRule?.(alert, budget) ?? { known: true, value: null, caveats: [] },
    source.evaluate?.('up', WINDOW, budget) ?? { known: true, value: [], caveats: [] },
  ]);
  const reasons = answers.flatMap((answer) => (answer.known ? answer.caveats : [answer.reason]));
  return { answers, reasons };
}

const text =
  (body: string, status = 200): RequestListener =>
  (_req, res) => {
    res.sendDate = false;
    res.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };

/** A document that begins like those of several products, and never ends. */
const endless: RequestListener = (_req, res) => {
  res.sendDate = false;
  res.writeHead(200);
  res.write('{"status":"success","responses":[],"data":{"resultType":"matrix","result":[');
  const piece = `{"metric":{"job":"${'x'.repeat(60_000)}"},"stream":{},"values":[]},`;
  const more = (to: ServerResponse) => {
    while (!to.destroyed && to.write(piece));
    if (!to.destroyed) to.once('drain', () => more(to));
  };
  more(res);
};

const BAD: readonly (readonly [string, RequestListener, RegExp])[] = [
  [
    'refuses the token',
    text('{"message":"bad token hush-hush-hush"}', 401),
    /refused the credentials \(401\): check /u,
  ],
  ['is overloaded', text('{"error":"too busy for hush-hush-hush"}', 503), /is overloaded \(503\): too busy/u],
  ['fails', text('hush-hush-hush', 500), /answered with 500/u],
  ['is a login page', text('<html>hush-hush-hush'), /something other than JSON/u],
  ['cuts its answers short', text('{"data":{"result":[{"a":'), /something other than JSON, or cut it short/u],
  ['answers in another form', text('"hush-hush-hush"'), /in a form that .+ does not have/u],
  [
    'nests without end',
    text(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
    /something other than JSON|in a form that/u,
  ],
  [
    'redirects',
    (_req, res) => res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    /redirects elsewhere \(302\)/u,
  ],
  ['breaks off', (req) => req.socket.destroy(), /could not be reached \(the connection was cut\)/u],
];

async function opened(open: Open, listener: RequestListener) {
  let asked = 0;
  const server = patientServer((req, res) => {
    asked++;
    req.resume();
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const source = open(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await source.close();
  });
  return { source, asked: () => asked };
}

describe.each(Object.entries(SOURCES))('%s', (_name, open) => {
  it.each(BAD)(
    'says so where its server %s, and never fails or shows its token',
    async (_how, listener, sentence) => {
      const { source } = await opened(open, listener);
      const budget = createBudget({ requests: 300, ms: 60_000 }, { clock });
      const { reasons } = await askAll(source, budget);
      expect(reasons.join('\n')).toMatch(sentence);
      const health = await source.check(budget);
      expect(health).toMatchObject({ ok: false, summary: expect.stringMatching(sentence) });
      expect(JSON.stringify([reasons, health])).not.toContain(TOKEN);
      budget.end();
    },
  );

  it('reads an answer without an end up to a bound, and says so', async () => {
    const { source } = await opened(open, endless);
    const budget = createBudget({ requests: 3, ms: 60_000 }, { clock });
    const answers = [await source.services(WINDOW, budget), await source.changes(WINDOW, budget)];
    const reasons = answers.flatMap((answer) => (answer.known ? answer.caveats : [answer.reason]));
    expect(reasons.join('\n')).toMatch(/more than 16 MiB|in a form that/u);
    budget.end();
  });

  it('takes an empty answer for nothing, or says that it does not understand it', async () => {
    for (const body of ['{}', '[]', '{"status":"success","data":{"resultType":"vector","result":[]}}']) {
      const { source } = await opened(open, text(body));
      const budget = createBudget({ requests: 300, ms: 60_000 }, { clock });
      const { answers, reasons } = await askAll(source, budget);
      for (const answer of answers) if (answer.known) expect(answer.value ?? []).toEqual([]);
      for (const reason of reasons) expect(reason).toMatch(/^[“A-Z].*\.$/u);
      budget.end();
    }
  });

  it('asks for nothing more than its budget allows, nor after the end', async () => {
    const none = await opened(open, text('{}'));
    const spent = createBudget({ requests: 0, ms: 60_000 }, { clock });
    expect((await askAll(none.source, spent)).reasons).toContain('The limit of 0 requests is used up.');
    spent.end();
    expect(none.asked()).toBe(0);
    const { source, asked } = await opened(open, () => undefined);
    const stop = new AbortController();
    const budget = createBudget({ requests: 300, ms: 60_000 }, { clock, stop: stop.signal });
    const asking = askAll(source, budget);
    await expect.poll(asked).toBeGreaterThan(0);
    stop.abort();
    const { reasons } = await asking;
    expect(reasons.join('\n')).toMatch(/did not answer before the time for this investigation was over/u);
    budget.end();
  });
});
