import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../support/alerts.ts';
import { untilPrinted } from '../support/child.ts';
import { type Demo, runDemo } from '../support/demo.ts';
import { hasPrometheus, startPrometheus, type TestPrometheus } from '../support/prometheus/prometheus.ts';
import { plainSystem } from '../support/prometheus/systems.ts';
import { unusedAddress } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

const QUARTER = 15_000;

/** The results in the thread of what was posted last. */
async function resultsOf(demo: Demo): Promise<string> {
  return until('the results are there', async () => {
    const card = (await demo.alerts()).at(-1);
    const words = (await demo.alerts(card?.ts)).map(wordsOf);
    return (
      words.some((text) => /Results of|root cause|No cause found|could not be reached/iu.test(text)) &&
      words.join('\n')
    );
  });
}

describe.skipIf(!hasPrometheus()).each(['socket', 'http'])(
  'npm start with PROMETHEUS_URL, over %s',
  (deliver) => {
    let prometheus: TestPrometheus;
    let demo: Demo;

    beforeAll(async () => {
      // The newest sample is a moment old, as it is where Prometheus scrapes.
      const newest = Math.floor(Date.now() / QUARTER) * QUARTER;
      prometheus = await startPrometheus(plainSystem(newest).history);
      demo = await runDemo({
        env: { PROMETHEUS_URL: prometheus.url },
        words: ['--deliver', deliver],
      });
    });
    afterAll(async () => {
      await demo?.end();
      await prometheus?.stop();
    });

    it('names the cause in that system, in the thread', async () => {
      await untilPrinted(demo.program, /over your telemetry/u);
      expect(await demo.command('/investigate', 'storefront: many requests fail')).toEqual({ ok: true });
      const results = await resultsOf(demo);
      expect(results).toMatch(/Degradation of ledger after a deploy: 4\.2\.0 rolled out at \d\d:\d\d UTC/u);
      expect(results).toMatch(/ledger error rate rose from 0\.\d+% to \d+/u);
    });

    it('has no simulated shop to play with', async () => {
      expect((await demo.panel()).sections.map(({ id }) => id)).toEqual(['alerts']);
      expect(demo.program.output()).not.toContain('simulated');
    });
  },
);

it('npm start with a Prometheus that cannot be reached says so in the thread, and invents no cause', async () => {
  const demo = await runDemo({ env: { PROMETHEUS_URL: await unusedAddress() }, words: [] });
  try {
    expect(await demo.command('/investigate', 'storefront: many requests fail')).toEqual({ ok: true });
    const results = await resultsOf(demo);
    expect(results).toMatch(/Prometheus at <?http:\/\/127\.0\.0\.1:[^ ]+ could not be reached/u);
    expect(results).not.toMatch(/deploy of|degradation/u);
  } finally {
    await demo.end();
  }
});
