import { describe, expect, it } from 'vitest';
import { createProblems } from '../../../src/bot/problems/registry.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { createServiceWatch } from '../../../src/bot/watching/service-watch.ts';
import { fakeService } from '../../support/fake-service.ts';
import { newIssue } from '../../support/issues.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { turns, until } from '../../support/until.ts';

const KEY = { name: 'service:key', reason: '401', since: 1, detail: '' };

/** The watch on a real store; `pass` moves its clock on, round by round. */
async function watch() {
  const opened = await openTestStore();
  const { store } = opened;
  const clock = manualClock();
  const service = fakeService();
  const metrics = createMetrics();
  const problems = createProblems({ store, clock, metrics });
  const watching = createServiceWatch({
    store,
    service: service.client,
    organization: 'default',
    clock,
    log: createLogger('silent'),
    metrics,
    problems,
  });
  for (const source of watching.sources) problems.watch(source);
  const names = async () => (await store.problems.open()).map(({ name }) => name);
  return {
    store,
    service,
    clock,
    sentences: () => problems.read().map(({ sentence }) => sentence),
    names,
    watching,
    metrics,
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 5_000) {
        clock.advance(Math.min(left, 5_000));
        await turns(50);
      }
    },
    [Symbol.asyncDispose]: async () => {
      const stopped = watching.stop();
      clock.advance(60_000);
      await stopped;
      await opened[Symbol.asyncDispose]();
    },
  };
}

const probes = (test: Awaited<ReturnType<typeof watch>>) =>
  test.service.calls.filter((call) => call === 'search').length;

describe('a service in trouble', () => {
  it('is asked nothing while all is well', async () => {
    await using test = await watch();
    test.watching.start();
    await test.pass(10 * 60_000);
    expect(test.service.calls).toEqual([]);
  });

  it('says within a minute that a source of its investigations does not answer, and no longer once it does', async () => {
    await using test = await watch();
    test.watching.start();
    await test.pass(5_000);
    expect(test.sentences()).toEqual([]);
    const summary = 'Prometheus could not be reached: check PROMETHEUS_URL.';
    test.service.sources.push(
      { name: 'files', ok: true, summary: '' },
      { name: 'prometheus', ok: false, summary },
    );
    await test.pass(60_000);
    expect(test.sentences()).toEqual([`Investigations see less than they should: ${summary}`]);
    test.service.sources.pop();
    await test.pass(60_000);
    expect(test.sentences()).toEqual([]);
  });

  it('whose key is rejected is stored, and asked once a minute until it is fixed', async () => {
    await using test = await watch();
    test.service.health.key = { since: test.clock.now() };
    test.watching.start();
    expect(test.sentences()).toHaveLength(1);
    await until('it is stored', async () => (await test.names()).length > 0);
    await test.pass(5 * 60_000);
    expect(await test.names()).toEqual(['service:key']);
    expect(probes(test)).toBeGreaterThanOrEqual(4);
    expect(probes(test)).toBeLessThanOrEqual(6);
    expect(test.sentences()).toEqual([
      'the investigation service has rejected the API key since 2026-03-17 12:00 UTC; check ISSUE_SERVICE_API_KEY',
    ]);
    expect(await test.metrics.text()).toMatch(/gumshoe_service_troubles_total\{trouble="key"\} 1/);

    test.service.health.key = null;
    test.service.health.working = new Set(['issues.page']);
    await test.pass(10_000);
    await until('it is mended', async () => (await test.names()).length === 0);
    expect(test.sentences()).toEqual([]);
    expect(await test.metrics.text()).toMatch(/gumshoe_service_troubles 0/);
  });

  it('that an earlier process left is asked about at once', async () => {
    await using test = await watch();
    await test.store.problems.begin(KEY);
    test.watching.start();
    await until('it was asked', () => probes(test) === 1);
    expect(await test.names()).toEqual(['service:key']);
  });

  it('that failed for an issue that nobody wants any more is well as soon as it can be read', async () => {
    await using test = await watch();
    await test.store.issues.add(newIssue());
    test.service.health.filing = { since: test.clock.now() - 60_000, reason: 'failing' };
    test.service.health.working = new Set(['issues.page']);
    test.watching.start();
    await until('it is kept', async () => (await test.names()).includes('service:down'));
    await test.store.issues.rewrite('issue-1', { state: 'gone' });
    await test.pass(10_000);
    expect(await test.names()).toEqual([]);
  });

  it('that is down says how many issues wait', async () => {
    await using test = await watch();
    await test.store.issues.add(newIssue());
    test.service.health.filing = { since: test.clock.now() - 60_000, reason: 'unreachable' };
    test.watching.start();
    await until('it is kept', async () => (await test.names()).includes('service:down'));
    await test.pass(10_000);
    expect(test.sentences()).toEqual([
      'the investigation service has been unreachable since 2026-03-17 11:59 UTC',
      '1 issue waits to be filed',
    ]);
  });
});
