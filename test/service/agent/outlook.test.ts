import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { type MadeMetric, madeSource } from '../../support/made-source.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 27, 18, 0);

const hoursAgo = (at: number) => (NOW - at) / HOUR;

async function asked(metrics: readonly MadeMetric[], question = 'what is about to break?'): Promise<string> {
  const services = [...new Set(metrics.map(({ service }) => service))].map((name) => ({ name }));
  const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };
  const context = { now: NOW, before: null, issues };
  const source = madeSource({ services, metrics });
  return (await answerOf(question, context, source, { id: () => 'id', budget: UNLIMITED })).answer;
}

const disk = (at: MadeMetric['at']): MadeMetric => ({ service: 'orders-db', measure: 'disk', unit: '1', at });
const queue = (at: MadeMetric['at']): MadeMetric => ({
  service: 'mails',
  measure: 'queue',
  unit: '{message}',
  label: 'queue length',
  at,
});

it('names what is about to break, the soonest first', async () => {
  const answer = await asked([
    { service: 'gateway', measure: 'certificate', unit: 's', at: (at) => (3 * DAY + NOW - at) / 1000 },
    disk((at) => 0.9 - 0.01 * hoursAgo(at)),
    queue((at) => 700 - 100 * hoursAgo(at)),
    {
      service: 'cart',
      measure: 'restarts',
      unit: '{restart}',
      at: (at) => (Math.round(hoursAgo(at) * 60) % 90 < 5 ? 1 : 0),
    },
  ]);
  expect(answer.split('\n')).toEqual([
    '**4 things are broken or about to break:**',
    expect.stringMatching(/^- \*\*cart\*\*: restarted \d times in 6 h$/u),
    expect.stringMatching(
      /^- \*\*mails\*\*: queue length keeps growing: from 10\d messages to 700 messages in 6 h$/u,
    ),
    expect.stringMatching(
      /^- \*\*orders-db\*\*: the disk is 90% full, and full at about 04:00 UTC, at the rate of the last 6 h$/u,
    ),
    '- **gateway**: the certificate expires in 3 days',
    'No source reports memory, connections and scrape targets.',
  ]);
});

it('names a queue that lay still before it began to grow', async () => {
  const still = (at: number) => 40 + 10 * Math.cos((Math.PI * hoursAgo(at)) / 3);
  const grown = (at: number) => Math.max(0, 3 - hoursAgo(at)) * 7_000;
  expect(await asked([queue((at) => Math.round(still(at) + grown(at)))])).toMatch(
    /mails\*\*: queue length keeps growing/u,
  );
});

it.each<[string, MadeMetric]>([
  ['a disk that fills in weeks', disk((at) => 0.9 - 0.0001 * hoursAgo(at))],
  ['a disk that was cleaned up', disk((at) => 0.6 + 0.02 * hoursAgo(at))],
  ['a disk that fills and is rotated', disk((at) => 0.7 + 0.2 * (1 - (hoursAgo(at) % 2) / 2))],
  ['an almost empty disk', disk((at) => 0.3 - 0.04 * hoursAgo(at))],
  ['a queue that is worked off now and then', queue((at) => 500 - 100 * (hoursAgo(at) % 2))],
  ['a queue that grows by a few', queue((at) => 8 - hoursAgo(at))],
  [
    'a certificate of a month',
    { service: 'gateway', measure: 'certificate', unit: 's', at: () => (30 * DAY) / 1000 },
  ],
  [
    'one restart',
    {
      service: 'cart',
      measure: 'restarts',
      unit: '{restart}',
      at: (at) => (Math.abs(hoursAgo(at) - 3) < 0.05 ? 1 : 0),
    },
  ],
])('%s is nothing to warn of', async (_, metric) => {
  expect(await asked([metric])).toMatch(/^Nothing is about to break: I looked at \w+\.\nNo source reports /u);
});

it('says nothing of what nobody measures', async () => {
  expect(await asked([queue(() => 3)])).toBe(
    'Nothing is about to break: I looked at queues.\nNo source reports disks, memory, connections, certificates, restarts and scrape targets.',
  );
  const latency: MadeMetric = { service: 'cart', measure: 'latency', unit: 's', at: () => 0.1 };
  expect(await asked([latency])).toBe(
    'I can’t tell: no source reports disks, memory, connections, certificates, queues, restarts or scrape targets.',
  );
});

it('an expired certificate is said to have expired', async () => {
  const answer = await asked([{ service: 'gateway', measure: 'certificate', unit: 's', at: () => -60 }]);
  expect(answer).toContain('- **gateway**: the certificate has expired');
});

it.each<[string, string]>([
  [
    'is there enough disk until morning?',
    'No. **orders-db runs out before 08:00 UTC on 2026-11-28** at this rate:',
  ],
  ['will the disk be full by 20:00?', 'No. **orders-db does not run out before 20:00 UTC** at this rate:'],
])('whether there is room until then is told from the slope: %s', async (question, head) => {
  const [first, second, ...more] = (await asked([disk((at) => 0.9 - 0.01 * hoursAgo(at))], question)).split(
    '\n',
  );
  expect([first, more]).toEqual([head, []]);
  expect(second).toBe(
    '- **orders-db**: the disk is 90% full, and full at about 04:00 UTC, at the rate of the last 6 h',
  );
});

it('of what is asked about by name, where it stands is said even if it does not run out', async () => {
  const answer = await asked(
    [
      queue((at) => 700 - 100 * hoursAgo(at)),
      { service: 'gateway', measure: 'certificate', unit: 's', at: () => (30 * DAY) / 1000 },
    ],
    'when is the queue empty?',
  );
  expect(answer).toBe(
    '- **mails**: 700 messages, growing by 1.67 messages a minute: at that rate it never empties',
  );
});
