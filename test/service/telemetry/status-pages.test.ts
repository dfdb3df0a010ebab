import { describe, expect, it, onTestFinished } from 'vitest';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { combine } from '../../../src/service/telemetry/combined.ts';
import { readTelemetrySettings } from '../../../src/service/telemetry/settings.ts';
import { createStatusPages } from '../../../src/service/telemetry/status-pages.ts';
import { madeSource } from '../../support/made-source.ts';
import { Refusal, scriptedSource } from '../../support/scripted-source.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 5, 1, 14, 20);

/** A page that answers so at that path, and at no other. */
async function page(path: string, answer: unknown) {
  const { url, calls } = await scriptedSource({ [path]: { answer: () => answer } });
  const pages = createStatusPages([{ host: 'api.stripe.com', url }]);
  onTestFinished(pages.close);
  const troubleAt = async (name: string) => {
    const host = pages.statusPages?.hostOf(name) ?? null;
    if (host === null) return null;
    const reading = await pages.statusPages?.read(host, UNLIMITED);
    return reading?.known ? reading.value.incidents : reading?.reason;
  };
  return { url, calls, pages, troubleAt };
}

const statuspage = (indicator: string, more: object = {}) => ({
  page: { id: 'x', name: 'Stripe', url: 'https://status.stripe.com' },
  status: { indicator, description: indicator === 'none' ? 'All Systems Operational' : 'Partial Outage' },
  incidents: [],
  scheduled_maintenances: [],
  ...more,
});
const OUTAGE = {
  incidents: [
    { name: 'Elevated errors', status: 'investigating', impact: 'major', created_at: '2026-06-01T14:05:00Z' },
  ],
};

describe('what a status page reports', () => {
  it.each<[string, string, unknown, unknown]>([
    [
      'Statuspage, with an incident',
      '/api/v2/summary.json',
      statuspage('major', OUTAGE),
      [{ name: 'Elevated errors', since: Date.UTC(2026, 5, 1, 14, 5), isMaintenance: false }],
    ],
    [
      'Statuspage, in maintenance, with another to come',
      '/api/v2/summary.json',
      statuspage('none', {
        scheduled_maintenances: [
          { name: 'Upgrade', status: 'in_progress', scheduled_for: '2026-06-01T14:00:00Z' },
          { name: 'Next', status: 'scheduled', scheduled_for: '2026-06-08T14:00:00Z' },
        ],
      }),
      [{ name: 'Upgrade', since: Date.UTC(2026, 5, 1, 14), isMaintenance: true }],
    ],
    [
      'Statuspage, red without a word why',
      '/api/v2/summary.json',
      statuspage('minor'),
      [{ name: 'Partial Outage', since: null, isMaintenance: false }],
    ],
    ['Statuspage, well', '/api/v2/summary.json', statuspage('none'), []],
    [
      'Instatus',
      '/summary.json',
      {
        page: { name: 'Pay', url: 'https://pay.instatus.com', status: 'HASISSUES' },
        activeIncidents: [{ name: 'API down', started: '2026-06-01T14:01:00Z', status: 'INVESTIGATING' }],
        activeMaintenances: [{ name: 'Later', start: '2026-06-02T14:01:00Z', status: 'NOTSTARTEDYET' }],
      },
      [{ name: 'API down', since: Date.UTC(2026, 5, 1, 14, 1), isMaintenance: false }],
    ],
    [
      'Better Stack',
      '/index.json',
      {
        data: { type: 'status_page', attributes: { aggregate_state: 'downtime' } },
        included: [
          { type: 'status_page_resource', attributes: { status: 'downtime' } },
          {
            type: 'status_report',
            attributes: { title: 'Payments fail', starts_at: '2026-06-01T14:02:00Z', ends_at: null },
          },
          {
            type: 'status_report',
            attributes: { title: 'Old', starts_at: '2026-05-01T14:02:00Z', ends_at: '2026-05-01T15:02:00Z' },
          },
        ],
      },
      [{ name: 'Payments fail', since: Date.UTC(2026, 5, 1, 14, 2), isMaintenance: false }],
    ],
  ])('%s', async (_, path, answer, incidents) => {
    const { troubleAt } = await page(path, answer);
    expect(await troubleAt('API.stripe.com:443')).toEqual(incidents);
  });

  it('is asked of configured hosts alone', async () => {
    const { troubleAt, calls } = await page('/api/v2/summary.json', statuspage('major', OUTAGE));
    const others = ['stripe.com', 'api.stripe.com.evil.example', 'stripe-proxy', 'api', 'com'];
    expect([await Promise.all(others.map(troubleAt)), calls]).toEqual([others.map(() => null), []]);
  });

  it('is that of the operator whom a service graph or a question calls by name', async () => {
    const { troubleAt } = await page('/api/v2/summary.json', statuspage('none'));
    expect([await troubleAt('Stripe'), await troubleAt('stripe:443')]).toEqual([[], []]);
  });

  it('is not known where the address leads elsewhere, and doctor says so', async () => {
    const { pages } = await page('/', new Refusal(200, '<html>'));
    expect(await pages.check(UNLIMITED)).toMatchObject({
      name: 'status pages',
      ok: false,
      summary: expect.stringContaining('STATUS_PAGES'),
    });
  });

  it('needs a host and an address', () => {
    expect(readTelemetrySettings({ STATUS_PAGES: 'api.stripe.com=status.stripe.com' })).toMatchObject({
      problems: [expect.stringContaining('STATUS_PAGES must be host=address pairs')],
    });
  });
});

/** What an investigation of failing calls to `api.stripe.com` says of its page. */
async function evidence(answer: unknown) {
  const { pages, url } = await page('/api/v2/summary.json', answer);
  const since = NOW - 10 * MINUTE;
  const failing = (at: number) => (at >= since ? 0.4 : 0.001);
  const edge = { caller: 'payments', callee: 'api.stripe.com', side: 'caller' as const };
  const system = madeSource({
    services: [{ name: 'payments' }, { name: 'api.stripe.com', kind: 'external' }],
    edges: [{ caller: 'payments', callee: 'api.stripe.com' }],
    metrics: [
      { service: 'payments', measure: 'requests', unit: '{request}/s', at: () => 20 },
      { service: 'payments', measure: 'errors', unit: '1', at: failing },
      { service: 'payments', measure: 'errors', unit: '1', at: failing, edge, label: 'outgoing error rate' },
    ],
  });
  const issue = {
    title: 'Errors of payments',
    description: '',
    environment: 'production',
    service: 'payments',
  };
  const { results } = await investigate(
    { ...issue, triggeredAt: NOW, context: {} },
    combine([system, pages]),
    { id: () => 'id', now: NOW, budget: UNLIMITED },
  );
  const said = results.rootCause.relevantEvidence.filter(({ title }) => title.startsWith('The operator'));
  return {
    said: said.map(({ title, description }) => `${title}. ${description}`),
    url,
    all: JSON.stringify(results),
  };
}

describe('beside failing calls', () => {
  it('a red page is evidence, with its times and its link', async () => {
    const { said, url } = await evidence(statuspage('major', OUTAGE));
    expect(said).toEqual([
      `The operator of api.stripe.com reports trouble. “Elevated errors”, since 14:05 UTC on 2026-06-01: ${url}`,
    ]);
  });

  it('a green page is none, and is not told', async () => {
    const { said, all } = await evidence(statuspage('none'));
    expect([
      said,
      /operational|status page/iu.test(all.replaceAll(/Check the status page of [^"]*/gu, '')),
    ]).toEqual([[], false]);
  });
});
