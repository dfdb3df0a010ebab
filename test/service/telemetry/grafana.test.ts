import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { createBudget, UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import type { LogLine } from '../../../src/service/telemetry/model.ts';
import { openSources } from '../../../src/service/telemetry/open-sources.ts';
import { readTelemetrySettings } from '../../../src/service/telemetry/settings.ts';
import { elasticsearchServer, lokiServer, victoriaLogsServer } from '../../support/log-servers.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { prometheusServer } from '../../support/prometheus-server.ts';
import { Refusal, type Route, scriptedSource } from '../../support/scripted-source.ts';
import { answerOf } from '../../support/telemetry.ts';

type Routes = Readonly<Record<string, Route>>;

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const ONSET = NOON - 10 * 60_000;
const clock = manualClock(NOON);
const TOKEN = 'glsa_hush-hush';

const SERVICES = [
  { job: 'press', errors: (at: number) => (at < ONSET ? 0.002 : 0.4) },
  { job: 'bindery', errors: () => 0.001 },
];
const LINES = Array.from(
  { length: 50 },
  (_, i): LogLine => ({
    at: i < 5 ? ONSET - (i + 1) * 400_000 : ONSET + i * 9_000,
    service: i % 7 === 6 ? 'bindery' : 'press',
    instance: null,
    level: i < 5 ? 'info' : 'error',
    message: i < 5 ? `printed job ${i}` : `job ${i} failed: no such column ink_level`,
    traceId: null,
  }),
);

interface Given {
  uid: string;
  name: string;
  type: string;
  url?: string;
  isDefault?: boolean;
  jsonData?: object;
}

/** A Grafana with these data sources, each of which answers as the server behind it. */
async function grafanaWith(
  given: readonly (Given & { behind?: Routes; at?: 'proxy' | 'resources' })[],
  more: Routes = {},
) {
  const routes = given.flatMap(({ uid, behind = {}, at = 'proxy' }) =>
    Object.entries(behind).map(([path, route]) => [
      at === 'proxy'
        ? `/api/datasources/proxy/uid/${uid}${path}`
        : `/api/datasources/uid/${uid}/resources${path}`,
      route,
    ]),
  );
  const { url, calls } = await scriptedSource({
    '/api/datasources': {
      answer: () =>
        given.map(({ behind: _, at: __, ...listed }, i) => ({
          id: i,
          access: 'proxy',
          url: `http://${listed.uid}`,
          ...listed,
        })),
    },
    '/api/annotations': {
      parameters: ['from', 'to', 'type', 'limit'],
      answer: () => [
        {
          id: 1,
          time: ONSET - 60_000,
          text: '<b>Press</b> 1.5.0',
          tags: ['deploy', 'service:press', 'version:1.5.0'],
          alertId: 0,
          dashboardUID: 'abc',
        },
        { id: 2, time: NOON - 50_000, text: 'alerting', tags: [], alertId: 7 },
        { id: 3, time: NOON + 1, text: 'later', tags: ['deploy'] },
        { id: 4, time: NOON - 40_000, text: 'moved the printers', tags: ['office'] },
      ],
    },
    ...Object.fromEntries(routes),
    ...more,
  });
  return { url, calls };
}

function openedWith(env: Record<string, string>) {
  const read = readTelemetrySettings(env);
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const sources = openSources(read.settings, clock);
  onTestFinished(sources.close);
  return sources;
}

const opened = (url: string, env: Record<string, string> = {}) =>
  openedWith({ GRAFANA_URL: url, GRAFANA_TOKEN: TOKEN, ...env }).source;

const PROMETHEUS = {
  uid: 'p1',
  name: 'Metrics',
  type: 'prometheus',
  isDefault: true,
  behind: prometheusServer(SERVICES),
};
const LOKI = { uid: 'l1', name: 'Logs', type: 'loki', behind: lokiServer(LINES) };

const ISSUE = {
  title: 'HighErrorRate',
  description: 'Many requests to press fail.',
  environment: 'production',
  triggeredAt: NOON,
  service: 'press',
  context: { tags: ['job:press', 'namespace:shop'] },
};

async function verdictOf(source: Parameters<typeof investigate>[1]) {
  let count = 0;
  const budget = createBudget({ requests: 300, ms: 60_000 }, { clock });
  const { results } = await investigate(ISSUE, source, { id: () => `id-${++count}`, now: NOON, budget });
  budget.end();
  const { rootCauseSummary, incidentOverview, relevantEvidence } = results.rootCause;
  return { rootCauseSummary, incidentOverview, evidence: relevantEvidence.map(({ title }) => title) };
}

describe('a Grafana', () => {
  it('is all that an investigation needs, with one token', async () => {
    const { url, calls } = await grafanaWith([PROMETHEUS, LOKI]);
    const verdict = await verdictOf(opened(url));
    expect(verdict.rootCauseSummary).toMatch(/press 1\.5\.0|after a deploy/iu);
    expect(verdict.incidentOverview).not.toMatch(/Not everything could be checked: Grafana/u);
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${TOKEN}`]));
  });

  it('gives the same verdict with logs of any kind in front of the same case, and so do these by themselves', async () => {
    const kinds: Record<string, Given & { behind: Routes }> = {
      LOKI_URL: LOKI,
      VICTORIALOGS_URL: {
        uid: 'v1',
        name: 'VL',
        type: 'victoriametrics-logs-datasource',
        behind: victoriaLogsServer(LINES),
      },
      ELASTICSEARCH_URL: {
        uid: 'e1',
        name: 'ES',
        type: 'elasticsearch',
        jsonData: { index: 'logs-*' },
        behind: elasticsearchServer(LINES),
      },
      OPENSEARCH: {
        uid: 'o1',
        name: 'OS',
        type: 'grafana-opensearch-datasource',
        jsonData: { index: 'logs-*' },
        behind: elasticsearchServer(LINES),
      },
    };
    const verdicts = new Set<string>();
    for (const [variable, logs] of Object.entries(kinds)) {
      const { url } = await grafanaWith([PROMETHEUS, logs]);
      verdicts.add(JSON.stringify(await verdictOf(opened(url))));
      const { url: alone } = await scriptedSource(logs.behind);
      const index = /OPENSEARCH|ELASTIC/u.test(variable) ? { ELASTICSEARCH_INDEX: 'logs-*' } : {};
      const name = variable === 'OPENSEARCH' ? 'ELASTICSEARCH_URL' : variable;
      const { url: metrics } = await grafanaWith([PROMETHEUS]);
      verdicts.add(JSON.stringify(await verdictOf(opened(metrics, { [name]: alone, ...index }))));
    }
    expect([...verdicts]).toHaveLength(1);
    expect([...verdicts][0]).toMatch(/Degradation of press after a deploy.*New error in the press logs/u);
  });

  it('tells of what people and pipelines noted, not of what its alerts did', async () => {
    const { url, calls } = await grafanaWith([LOKI]);
    expect(await answerOf(opened(url).changes(WINDOW, UNLIMITED))).toEqual([
      {
        at: ONSET - 60_000,
        service: 'press',
        kind: 'deploy',
        title: 'Press 1.5.0',
        version: '1.5.0',
        ref: null,
        url: `${url}/d/abc`,
        details: null,
      },
      {
        at: NOON - 40_000,
        service: null,
        kind: 'annotation',
        title: 'moved the printers',
        version: null,
        ref: null,
        url: null,
        details: null,
      },
    ]);
    const asked = calls.find(({ path }) => path === '/api/annotations');
    expect(asked?.parameters).toMatchObject({ from: String(WINDOW.from), to: String(NOON) });
  });

  it('links to the data source that a series is from', async () => {
    const { url } = await grafanaWith([PROMETHEUS]);
    const linkWith = async (env: Record<string, string>) => {
      const source = opened(url, env);
      const signals = (await answerOf(source.signals(WINDOW, UNLIMITED))).map(({ id }) => id);
      const [series] = await answerOf(source.series({ signals, stepMs: 60_000 }, WINDOW, UNLIMITED));
      return series?.providerUrl ?? null;
    };
    // Its own address is one of this machine.
    expect(await linkWith({})).toBeNull();
    const link = new URL((await linkWith({ GRAFANA_PUBLIC_URL: 'https://grafana.example.com' })) ?? '');
    expect(link.origin).toBe('https://grafana.example.com');
    expect(JSON.parse(link.searchParams.get('left') ?? '')).toMatchObject({ datasource: 'p1' });
  });

  it('is read through the path of resources where the proxy is closed', async () => {
    const { url } = await grafanaWith([{ ...PROMETHEUS, at: 'resources' }], {
      '/api/datasources/proxy/*': {
        method: '*',
        parameters: ['start', 'end', 'query', 'time', 'step'],
        answer: () => new Refusal(403),
      },
    });
    const services = await answerOf(opened(url).services(WINDOW, UNLIMITED));
    expect(services.map(({ name }) => name).sort()).toEqual(['bindery', 'press']);
  });

  it('never sends its token to where it redirects', async () => {
    const seen: unknown[] = [];
    const elsewhere = createServer((req, res) => {
      seen.push(req.headers.authorization);
      res.end('[]');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const address = elsewhere.address();
    const location = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
    const gone = new Refusal(307, '', { location });
    const { url } = await grafanaWith([{ ...PROMETHEUS, behind: {} }], {
      '/api/datasources/proxy/*': {
        method: '*',
        parameters: ['start', 'end', 'query', 'time', 'step'],
        answer: () => gone,
      },
      '/api/annotations': { parameters: ['from', 'to', 'type', 'limit'], answer: () => gone },
    });
    const source = opened(url);
    expect(await source.services(WINDOW, UNLIMITED)).toMatchObject({
      caveats: [
        expect.stringMatching(/redirects elsewhere \(307\): set GRAFANA_URL to the final address\.$/u),
      ],
    });
    expect((await source.check(UNLIMITED)).ok).toBe(false);
    expect(seen).toEqual([]);
  });
});

describe('of several data sources of a type', () => {
  const elsewhere = {
    uid: 'p2',
    name: 'Other metrics',
    type: 'prometheus',
    behind: prometheusServer([{ job: 'harbor', errors: () => 0 }], { namespace: 'port' }),
  };
  const third = {
    uid: 'p3',
    name: 'Third',
    type: 'prometheus',
    behind: prometheusServer([{ job: 'press', errors: () => 0 }], { namespace: 'port' }),
  };
  const names = async (source: ReturnType<typeof opened>, labels: Record<string, string> | null = null) => {
    const budget = createBudget({ requests: 300, ms: 60_000 }, { clock });
    if (labels !== null) source.focus?.(labels, WINDOW, budget);
    const services = await answerOf(source.services(WINDOW, budget));
    budget.end();
    return services.map(({ name }) => name).sort();
  };

  it('those are read that know most of the alert’s labels, or all where nothing decides', async () => {
    const { url } = await grafanaWith([elsewhere, PROMETHEUS, third]);
    const source = opened(url);
    expect(await names(source, { alertname: 'X', job: 'press', namespace: 'shop' })).toEqual([
      'bindery',
      'press',
    ]);
    expect(await names(source, { job: 'harbor' })).toEqual(['harbor']);
    expect(await names(source)).toEqual(expect.arrayContaining(['bindery', 'harbor']));
  });

  it('GRAFANA_DATASOURCES names those to read, by name or by uid', async () => {
    const { url } = await grafanaWith([elsewhere, PROMETHEUS, third]);
    expect(await names(opened(url, { GRAFANA_DATASOURCES: 'p2' }), { job: 'press' })).toEqual(['harbor']);
    expect(await names(opened(url, { GRAFANA_DATASOURCES: 'Metrics' }), { job: 'harbor' })).toEqual([
      'bindery',
      'press',
    ]);
  });

  it('logs are chosen by their services', async () => {
    const other = {
      uid: 'l2',
      name: 'Other logs',
      type: 'loki',
      behind: lokiServer([
        {
          ...LINES[6],
          at: ONSET,
          service: 'harbor',
          instance: null,
          level: null,
          message: 'x',
          traceId: null,
        },
      ]),
    };
    const { url } = await grafanaWith([other, LOKI]);
    const source = opened(url);
    expect(await names(source, { service: 'press' })).toEqual(['bindery', 'press']);
    expect(await names(source, { service: 'harbor' })).toEqual(['harbor']);
  });

  it('one that is configured by itself wins, and one with the same address is read once', async () => {
    const own = await scriptedSource(prometheusServer([{ job: 'own', errors: () => 0 }]));
    const { url, calls } = await grafanaWith([
      PROMETHEUS,
      { ...PROMETHEUS, uid: 'p9', url: 'http://p1' },
      LOKI,
    ]);
    expect(await names(opened(url, { PROMETHEUS_URL: own.url }))).toEqual(['bindery', 'own', 'press']);
    expect(calls.filter(({ path }) => path.includes('/p1/') || path.includes('/p9/'))).toEqual([]);
    await names(opened(url));
    expect(calls.filter(({ path }) => path.includes('/p9/'))).toEqual([]);
  });
});

describe('the check of a Grafana', () => {
  it('says what it found and reads, and what not and why', async () => {
    const { url } = await grafanaWith([
      PROMETHEUS,
      LOKI,
      {
        uid: 't1',
        name: 'Traces',
        type: 'tempo',
        behind: {
          '/api/v2/search/tag/resource.service.name/values': {
            parameters: ['start', 'end'],
            answer: () => new Refusal(403),
          },
        },
      },
      { uid: 'c1', name: 'AWS', type: 'cloudwatch' },
    ]);
    const { source } = openedWith({ GRAFANA_URL: url, GRAFANA_TOKEN: TOKEN });
    const { ok, summary, details } = await source.check(UNLIMITED);
    expect(ok).toBe(false);
    expect(summary).toMatch(
      /^Grafana at http.* answers: 4 data sources, of which 3 are read\. Read: “Traces” \(tempo\): “Traces” in Grafana at .* refused the credentials \(403\): check that the service account of GRAFANA_TOKEN may query this data source\.$/u,
    );
    expect(details.filter((line) => /^(?:Read|Not read|Annotations)/u.test(line))).toEqual([
      expect.stringMatching(
        /^Read: “Metrics” \(prometheus\): Prometheus 3\.5\.0 at http.*\/api\/datasources\/proxy\/uid\/p1 answers: 2 services/u,
      ),
      expect.stringMatching(/^Read: “Logs” \(loki\): .*2 services write lines\.$/u),
      expect.stringMatching(/^Read: “Traces” \(tempo\)/u),
      'Not read: “AWS” (cloudwatch): nothing reads this type.',
      'Annotations: 2 within a day.',
    ]);
    expect(JSON.stringify(details)).not.toContain(TOKEN);
  });

  it('says that the token may not list data sources, and that a name is wrong', async () => {
    const { url } = await grafanaWith([PROMETHEUS], {
      '/api/datasources': { answer: () => new Refusal(403) },
    });
    expect(await opened(url).check(UNLIMITED)).toMatchObject({
      ok: false,
      summary: expect.stringMatching(
        /^Grafana at .* refused the credentials \(403\): check GRAFANA_TOKEN, and that its service account has the role Viewer/u,
      ),
    });
    const { url: second } = await grafanaWith([PROMETHEUS]);
    expect(await opened(second, { GRAFANA_DATASOURCES: 'Metrics, Metriks' }).check(UNLIMITED)).toMatchObject({
      ok: false,
      summary: expect.stringMatching(/It has no data source Metriks: correct GRAFANA_DATASOURCES\.$/u),
    });
  });
});
