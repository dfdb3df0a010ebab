import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBudget, UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import type { SourceAddress } from '../../../../src/service/telemetry/http.ts';
import { createPrometheusClient } from '../../../../src/service/telemetry/prometheus/client.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { fastClock } from '../../../support/paced-clock.ts';
import { patientServer } from '../../../support/patient-server.ts';
import { unusedAddress } from '../../../support/scripted-service.ts';

const WINDOW = { from: 0, to: 600_001 };
const MINUTE = 60_000;

interface Seen {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body: string;
}

/** A server that answers so, and a client of it. */
async function clientOf(answer: RequestListener, address: Partial<SourceAddress> = {}, prefix = '') {
  const seen: Seen[] = [];
  const server = patientServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += String(chunk);
    seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  const port = at !== null && typeof at === 'object' ? at.port : 0;
  const url = `http://127.0.0.1:${port}${prefix}`;
  const client = createPrometheusClient({ title: 'Prometheus', variable: 'PROMETHEUS', url, ...address });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, seen, url };
}

const success = (data: object, more: object = {}): RequestListener =>
  json(200, { status: 'success', data, ...more });

function json(status: number, body: object): RequestListener {
  return (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  };
}

const matrix = (values: unknown[]) => ({
  resultType: 'matrix',
  result: [{ metric: { job: 'cart' }, values }],
});

describe('a query over a window', () => {
  it('ends at the end of the window, and never asks for more than 11,000 points', async () => {
    const { client, seen } = await clientOf(success(matrix([[600, '1.5']])));
    const year = { from: 0, to: 365 * 24 * 60 * MINUTE };
    await client.queryRange('up', WINDOW, MINUTE, UNLIMITED);
    await client.queryRange('up', year, 1000, UNLIMITED);
    const [first, second] = seen.map(({ url }) => new URL(url, 'http://x').searchParams);
    expect(first?.get('end')).toBe('600');
    expect(first?.get('start')).toBe('0');
    const points = (Number(second?.get('end')) - Number(second?.get('start'))) / Number(second?.get('step'));
    expect(points).toBeLessThan(11_000);
    expect(Number(second?.get('end')) * 1000).toBeLessThan(year.to);
  });

  it('leaves out what is not a number, and keeps what is as it was returned', async () => {
    const values = [
      [0, '1'],
      [60, 'NaN'],
      [120, '+Inf'],
      ['x', '1'],
      [180, '0.30000000000000004'],
    ];
    const { client } = await clientOf(success(matrix(values)));
    const answer = await client.queryRange('up', WINDOW, MINUTE, UNLIMITED);
    expect(answer).toMatchObject({
      known: true,
      caveats: ['up has values that cannot be measurements (+Inf): they were left out.'],
    });
    expect(answer.known && answer.value.map(({ points }) => [[...points.times], [...points.values]])).toEqual(
      [
        [
          [0, 180_000],
          [1, 0.30000000000000004],
        ],
      ],
    );
  });

  it.each([
    [
      '1e308',
      'memory_bytes',
      ['the heap has values that cannot be measurements (1e308): they were left out.'],
    ],
    [
      '-1e300',
      'memory_bytes',
      ['the heap has values that cannot be measurements (-1e300): they were left out.'],
    ],
    ['NaN', 'memory_bytes', ['the heap has values that cannot be measurements (NaN): they were left out.']],
    // A quantile or a ratio of nothing.
    ['NaN', 'histogram_quantile(0.95, x)', []],
    ['NaN', 'a / b', []],
  ])('%s is unknown, with the reason', async (value, expression, caveats) => {
    const { client } = await clientOf(success(matrix([[0, value]])));
    const answer = await client.queryRange(expression, WINDOW, MINUTE, UNLIMITED, { subject: 'the heap' });
    expect(answer).toEqual({ known: true, value: [], caveats });
  });

  it('goes into the body of a POST where it is long, and tells of warnings', async () => {
    const { client, seen } = await clientOf(success(matrix([]), { warnings: ['one store did not answer'] }));
    const long = `sum(${Array.from({ length: 200 }, (_, i) => `metric_${i}`).join(' or ')})`;
    const answer = await client.queryRange(long, WINDOW, MINUTE, UNLIMITED);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/query_range' });
    expect(new URLSearchParams(seen[0]?.body).get('query')).toBe(long);
    expect(answer.known && answer.caveats[0]).toMatch(/warned: one store did not answer/u);
  });
});

describe('the address of a server', () => {
  it('keeps its path prefix, and carries a token and a tenant', async () => {
    const { client, seen } = await clientOf(success([]), { token: 'hush', orgId: 'team-a' }, '/prom/');
    await client.metricNames(WINDOW, UNLIMITED);
    expect(seen[0]?.url).toMatch(/^\/prom\/api\/v1\/label\/__name__\/values\?/u);
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer hush', 'x-scope-orgid': 'team-a' });
  });

  it('carries a user and a password', async () => {
    const { client, seen } = await clientOf(success([]), { user: 'reader', password: 'pass' });
    await client.metricNames(WINDOW, UNLIMITED);
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('reader:pass').toString('base64')}`);
  });
});

describe('what a server does wrong is a sentence', () => {
  const failures: [string, RequestListener, RegExp][] = [
    ['401', json(401, {}), /refused the credentials \(401\): check PROMETHEUS_TOKEN\./u],
    ['403', json(403, {}), /refused the credentials \(403\)/u],
    [
      '404',
      json(404, {}),
      /has no API at this address \(404\): check PROMETHEUS_URL, which may need a path prefix/u,
    ],
    [
      '422',
      json(422, { error: 'too many samples' }),
      /could not evaluate a query \(422\): too many samples\./u,
    ],
    [
      '503',
      json(503, { error: 'query timed out' }),
      /gave up on a query, or is overloaded \(503\): query timed out/u,
    ],
    ['429', json(429, {}), /limits how often it may be asked \(429\)/u],
    ['500', json(500, {}), /answered with 500/u],
    [
      'a redirect',
      (_req, res) => res.writeHead(302, { location: 'http://elsewhere' }).end(),
      /redirects elsewhere/u,
    ],
    ['a login page', (_req, res) => res.end('<html>Log in</html>'), /something other than JSON/u],
    ['JSON that is cut short', (_req, res) => res.end('{"status":"succ'), /something other than JSON/u],
    ['another form', success({ result: 'none' }), /in a form that Prometheus does not have/u],
    ['an error with status 200', json(200, { status: 'error', error: 'no' }), /reported an error: no/u],
    ['a cut connection', (req) => req.socket.destroy(), /could not be reached/u],
  ];

  it.each(failures)('%s', async (_name, listener, sentence) => {
    const { client } = await clientOf(listener, { token: 'hush-hush-hush' });
    const answer = await client.query('up', 0, UNLIMITED);
    expect(answer).toEqual({ known: false, reason: expect.stringMatching(sentence) });
    expect(JSON.stringify(answer)).not.toContain('hush-hush');
  });

  it('nobody there', async () => {
    const url = await unusedAddress();
    const client = createPrometheusClient({ title: 'Prometheus', variable: 'PROMETHEUS', url });
    onTestFinished(() => client.close());
    expect(await client.query('up', 0, UNLIMITED)).toEqual({
      known: false,
      reason: expect.stringMatching(
        /could not be reached \(the connection was refused\): check PROMETHEUS_URL/u,
      ),
    });
  });

  it('an error that repeats the token does not show it', async () => {
    const { client } = await clientOf(json(400, { error: 'bad token hush-hush-hush' }), {
      token: 'hush-hush-hush',
    });
    const answer = await client.query('up', 0, UNLIMITED);
    expect(JSON.stringify(answer)).toContain('could not evaluate');
    expect(JSON.stringify(answer)).not.toContain('hush-hush');
  });
});

describe('an answer that ends early', () => {
  const whole = JSON.stringify({
    status: 'success',
    data: {
      resultType: 'matrix',
      result: ['cart', 'orders'].map((job) => ({ metric: { job }, values: [[600, '1.5']] })),
    },
  });
  /** Complete as far as the first of two series. */
  const part = whole.slice(0, whole.indexOf(',{"metric":{"job":"orders"') + 10);
  const endsEarly: RequestListener = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(part);
  };
  const breaks: RequestListener = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
    res.write(part, () => res.destroy());
  };
  const both = ['cart', 'orders'].map((job) => ({
    labels: { job },
    points: { times: Float64Array.of(600_000), values: Float64Array.of(1.5) },
  }));

  it.each([
    ['is complete JSON up to there', endsEarly],
    ['loses its connection', breaks],
  ])('is asked for once more, and no series counts twice: it %s', async (_what, first) => {
    let count = 0;
    const { client, seen } = await clientOf((req, res) => {
      if (++count === 1) first(req, res);
      else json(200, JSON.parse(whole))(req, res);
    });
    const answer = await client.queryRange('up', WINDOW, MINUTE, UNLIMITED);
    expect(answer).toEqual({ known: true, value: both, caveats: [] });
    expect(seen).toHaveLength(2);
  });

  it('twice is a reason, and nothing of it is used', async () => {
    const { client, seen } = await clientOf(endsEarly);
    expect(await client.queryRange('up', WINDOW, MINUTE, UNLIMITED)).toEqual({
      known: false,
      reason: expect.stringMatching(/something other than JSON, or cut it short/u),
    });
    expect(seen).toHaveLength(2);
  });

  it('is not asked for again if there is no request left', async () => {
    const { client, seen } = await clientOf(endsEarly);
    const budget = createBudget({ requests: 1, ms: MINUTE }, { clock: manualClock() });
    onTestFinished(() => budget.end());
    expect(await client.queryRange('up', WINDOW, MINUTE, budget)).toMatchObject({ known: false });
    expect(seen).toHaveLength(1);
  });
});

describe('the budget', () => {
  it('lets so many requests through, eight at a time', async () => {
    let open = 0;
    let most = 0;
    const { client, seen } = await clientOf((req, res) => {
      open++;
      most = Math.max(most, open);
      setImmediate(() => {
        open--;
        success(matrix([]))(req, res);
      });
    });
    const budget = createBudget({ requests: 20, ms: MINUTE }, { clock: manualClock() });
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, i) => client.query(`up + ${i}`, 0, budget)),
    );
    expect(seen).toHaveLength(20);
    expect(most).toBeLessThanOrEqual(8);
    expect(answers.filter(({ known }) => !known)).toEqual(
      Array.from({ length: 5 }, () => ({ known: false, reason: 'The limit of 20 requests is used up.' })),
    );
    budget.end();
  });

  it('stops what is under way when its time is over', async () => {
    const clock = manualClock();
    const { client, seen } = await clientOf(() => undefined);
    const budget = createBudget({ requests: 20, ms: MINUTE }, { clock });
    const answer = client.query('up', 0, budget);
    await expect.poll(() => seen.length).toBe(1);
    await clock.advance(MINUTE);
    expect(await answer).toEqual({
      known: false,
      reason: expect.stringMatching(/did not answer before the time for this investigation was over/u),
    });
  });

  it('stops reading once there are too many samples, and says so', async () => {
    const { client } = await clientOf(
      success(
        matrix([
          [0, '1'],
          [60, '2'],
          [120, '3'],
        ]),
      ),
    );
    const budget = createBudget({ requests: 20, ms: MINUTE, samples: 2 }, { clock: manualClock() });
    const answer = await client.queryRange('up', WINDOW, MINUTE, budget);
    expect(answer).toMatchObject({ known: true, value: [] });
    expect(answer.known && answer.caveats.join()).toMatch(/More samples than an investigation may read/u);
    budget.end();
  });
});

describe('a clock that is off', () => {
  const at =
    (date: Date): RequestListener =>
    (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', date: date.toUTCString() });
      res.end(JSON.stringify({ status: 'success', data: [] }));
    };

  it.each([
    ['behind', -5],
    ['ahead of', 7],
  ])('is said once its answer shows it: %s ours', async (way, minutes) => {
    const { client, url } = await clientOf(at(new Date(fastClock(1).now() + minutes * MINUTE)));
    expect(await client.metricNames(WINDOW, UNLIMITED)).toMatchObject({
      known: true,
      caveats: [
        `The clock of Prometheus at ${url} is ${Math.abs(minutes)} min ${way} ours, so times may be off by that much.`,
      ],
    });
  });

  it('is not one that differs by seconds', async () => {
    const { client } = await clientOf(at(new Date(fastClock(1).now() - 20_000)));
    expect(await client.metricNames(WINDOW, UNLIMITED)).toMatchObject({ known: true, caveats: [] });
  });
});
