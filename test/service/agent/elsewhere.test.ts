import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known, type Trouble, unknown } from '../../../src/service/telemetry/model.ts';
import type { StatusPages } from '../../../src/service/telemetry/source.ts';
import { madeSource } from '../../support/made-source.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 5, 1, 14, 20);
const OUTAGE: Trouble['incidents'] = [
  { name: 'Elevated errors', since: NOW - 15 * MINUTE, isMaintenance: false },
];

/** Pages of Stripe and of Slack that report so; `null` for one that cannot be read. */
function pagesOf(reports: Record<string, Trouble['incidents'] | null>) {
  const read: string[] = [];
  const pages: StatusPages = {
    hosts: Object.keys(reports),
    hostOf: (name) => Object.keys(reports).find((host) => host.split('.')[1] === name.toLowerCase()) ?? null,
    read: async (host) => {
      read.push(host);
      const incidents = reports[host] ?? null;
      return incidents === null
        ? unknown('The status page of api.stripe.com did not answer.')
        : known({ host, url: `https://status.${host}`, incidents });
    },
  };
  return { pages, read };
}

/** What is answered where requests to payments fail for ten minutes. */
async function asked(question: string, pages?: StatusPages): Promise<string[]> {
  const system = madeSource({
    services: [{ name: 'payments' }],
    metrics: [
      { service: 'payments', measure: 'requests', unit: '{request}/s', at: () => 20 },
      {
        service: 'payments',
        measure: 'errors',
        unit: '1',
        at: (at) => (at >= NOW - 10 * MINUTE ? 0.4 : 0.001),
      },
    ],
  });
  const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };
  const source = pages === undefined ? system : { ...system, statusPages: pages };
  const options = { id: () => 'id', budget: UNLIMITED };
  const { answer } = await answerOf(question, { now: NOW, before: null, issues }, source, options);
  return answer.split('\n\n');
}

const RED =
  '**The operator of api.stripe.com reports trouble.** “Elevated errors”, since 14:05 UTC on 2026-06-01: https://status.api.stripe.com';
const LAG = 'That is no evidence that all is well: such pages lag by 15 to 60 minutes.';

it('a page is read at the moment of the question, and that of the host that is named alone', async () => {
  const { pages, read } = pagesOf({ 'api.stripe.com': OUTAGE, 'hooks.slack.com': OUTAGE });
  expect([await asked('is stripe down?', pages), read]).toEqual([[RED], ['api.stripe.com']]);
});

it('a green page is never told as evidence', async () => {
  const { pages } = pagesOf({ 'api.stripe.com': [] });
  expect(await asked('is stripe down?', pages)).toEqual([
    `The status page of api.stripe.com reports no trouble now. ${LAG}`,
  ]);
});

it('a page that cannot be read says so', async () => {
  const { pages } = pagesOf({ 'api.stripe.com': null });
  expect(await asked('is stripe down?', pages)).toEqual([
    'I can’t tell what their status page says. The status page of api.stripe.com did not answer.',
  ]);
});

it('of a host without a page, it is said which variable would bring it', async () => {
  const { pages, read } = pagesOf({ 'api.stripe.com': OUTAGE });
  expect([(await asked('is twilio down?', pages)).at(-1), read]).toEqual([
    'If twilio is not yours: no status page of it is configured. `STATUS_PAGES` (`host=address`) would have me read it.',
    [],
  ]);
});

it('us or them is answered by what is wrong here, and by every page', async () => {
  const { pages } = pagesOf({ 'api.stripe.com': OUTAGE, 'hooks.slack.com': [] });
  const [first, second] = await asked('is it us or them?', pages);
  expect([first, second]).toEqual([RED, expect.stringContaining('**payments is degraded.**')]);
  const green = await asked('is it us or them?', pagesOf({ 'hooks.slack.com': [] }).pages);
  expect([green[0], green.at(-1)]).toEqual([
    expect.stringContaining('**payments is degraded.**'),
    `None of the status pages that I can read now reports trouble: hooks.slack.com. ${LAG}`,
  ]);
  expect((await asked('is it us or them?')).at(-1)).toBe(
    'No status page of what your services call is configured. `STATUS_PAGES` (`host=address`) would have me read it.',
  );
});

it('no page is read where others are not asked about', async () => {
  const { pages, read } = pagesOf({ 'api.stripe.com': OUTAGE });
  await asked('is it slow in eu or us?', pages);
  await asked('is payments ok?', pages);
  expect(read).toEqual([]);
});
