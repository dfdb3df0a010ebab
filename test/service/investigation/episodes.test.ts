import { expect, it } from 'vitest';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { madeSource } from '../../support/made-source.ts';
import { red } from './freight.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 27, 18, 0);

/** `portal` fails for five minutes of every half hour since `since`, and does at the alert or did until ten minutes before. */
async function overviewOf(since: number, agoMs: number): Promise<string> {
  const isBad = (at: number) => at > since && (NOW - agoMs - at + 30 * MINUTE) % (30 * MINUTE) < 5 * MINUTE;
  const source = madeSource({
    services: [{ name: 'portal' }],
    metrics: red('portal', { errors: (at) => (isBad(at) ? 0.2 : 0.002), latency: () => 0.1 }),
  });
  const issue = {
    title: 'HighErrorRate portal',
    description: '',
    environment: 'production',
    triggeredAt: NOW,
    service: 'portal',
    context: {},
  };
  const { results } = await investigate(issue, source, { id: () => 'id', now: NOW, budget: UNLIMITED });
  return results.rootCause.incidentOverview ?? '';
}

it.each([
  ['goes on', 0],
  ['is over', 10 * MINUTE],
])(
  'failures that come and go are said with how often and since when, where the last %s',
  async (_how, ago) => {
    expect(await overviewOf(0, ago)).toMatch(/ The failures came and went \d times since 15:\d\d UTC\./u);
  },
);

it('failures that came twice did not come and go', async () => {
  expect(await overviewOf(NOW - 40 * MINUTE, 0)).not.toContain('came and went');
});
