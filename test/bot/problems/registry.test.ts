import { describe, expect, it } from 'vitest';
import { createProblems } from '../../../src/bot/problems/registry.ts';
import { publicSentences } from '../../../src/bot/problems/stored.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { openTestStore } from '../../support/open-test-store.ts';

async function registry() {
  const opened = await openTestStore();
  const metrics = createMetrics();
  const { store, clock } = opened;
  return { ...opened, metrics, problems: createProblems({ store, clock, metrics }) };
}

describe('the registry of problems', () => {
  it('shows what a source says, since it was first seen, until it is over or the source is removed', async () => {
    await using test = await registry();
    let sentence: string | null = 'the poll failed';
    const remove = test.problems.watch({ name: 'poll', fixedBy: 'nobody', sentence: () => sentence });
    const since = test.clock.now();
    const poll = { name: 'poll', since, fixedBy: 'nobody', sentence, channel: null, stopsDeliveries: false };
    expect(test.problems.read()).toEqual([poll]);
    await test.clock.sleep(1_000);
    expect(test.problems.read()).toEqual([poll]);
    sentence = null;
    expect(test.problems.read()).toEqual([]);
    sentence = 'the poll failed';
    expect(test.problems.read()).toMatchObject([{ since: since + 1_000 }]);
    remove();
    expect(test.problems.read()).toEqual([]);
  });

  it('stores a problem once, keeps its beginning when its reason changes, and counts it', async () => {
    await using test = await registry();
    const since = test.clock.now();
    expect(await test.problems.begin({ name: 'channel:C1', reason: 'is_archived' })).toBe(true);
    await test.clock.sleep(1_000);
    expect(await test.problems.begin({ name: 'channel:C1', reason: 'is_archived' })).toBe(false);
    expect(await test.problems.begin({ name: 'channel:C1', reason: 'not_in_channel' })).toBe(true);
    const stored = { name: 'channel:C1', reason: 'not_in_channel', since, detail: '' };
    expect(await test.store.problems.open()).toEqual([stored]);
    expect(await test.metrics.text()).toContain('gumshoe_slack_troubles 1');
    expect(await test.problems.end('channel:C1')).toEqual(stored);
    expect(await test.problems.end('channel:C1')).toBeNull();
    expect(await test.metrics.text()).toContain('gumshoe_slack_troubles 0');
  });

  it('learns what another process has stored or ended, and names a stored problem but once', async () => {
    await using test = await registry();
    test.problems.watch({ name: 'service:key', fixedBy: 'operator', sentence: () => 'the key is rejected' });
    await test.store.problems.begin({ name: 'service:key', reason: '401', since: 0, detail: '' });
    expect(test.problems.read()).toHaveLength(1);
    await test.problems.load();
    expect(test.problems.read()).toMatchObject([{ name: 'service:key', since: 0, fixedBy: 'operator' }]);
    await test.store.problems.end('service:key');
    await test.problems.load();
    expect(test.problems.isOpen('service:key')).toBe(false);
  });

  it('names no channel to readers who may not know of it', async () => {
    await using test = await registry();
    await test.problems.begin({ name: 'channel:C1', reason: 'is_archived' });
    await test.problems.begin({ name: 'consent:C2', reason: 'no_consent' });
    await test.problems.begin({ name: 'consent:C3', reason: 'no_consent' });
    expect(publicSentences(test.problems.read())).toEqual([
      'cannot post in 1 channel; messages are queued',
      'not watching 2 private channels: a member has to agree first, with /gumshoe watch',
    ]);
  });
});
