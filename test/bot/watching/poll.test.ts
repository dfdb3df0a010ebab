import { describe, expect, it } from 'vitest';
import { UnreadableAnswerError } from '../../../src/contract/client/errors.ts';
import { rejected } from '../../support/fake-service.ts';
import { theIssue } from '../../support/issues.ts';
import { until } from '../../support/until.ts';
import { type Watching, watching } from './support.ts';

const MINUTE = 60_000;
const broken = rejected(503, 'later', 'api_error');

/** Looked at just now, so that nothing but news is a reason to fetch them. */
async function investigations(test: Watching, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await test.investigation(number);
    await test.store.issues.rewrite(`issue-${number}`, { checkedAt: test.opened.clock.now() });
  }
}

describe('a tick', () => {
  it('with nothing to watch asks for nothing', async () => {
    await using test = await watching();
    await test.poller.tick();
    expect(test.service.calls).toEqual([]);
  });

  it('fetches a few issues one by one', async () => {
    await using test = await watching();
    await investigations(test, 5);
    await test.poller.tick();
    expect(test.service.calls.toSorted()).toEqual(['get 1', 'get 2', 'get 3', 'get 4', 'get 5']);
  });

  it('walks the list of many, and fetches only those that are missing from it', async () => {
    await using test = await watching();
    await investigations(test, 7);
    test.elsewhere(3, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(test.service.calls).toEqual(['list', 'get 3', 'results 3 v1']);
    expect(await test.said()).toEqual(['result:issue-3:1 {"version":1,"notice":"result"}']);
  });

  it('of many fetches the listed ones as well, in rotation: the list does not show a failed version', async () => {
    await using test = await watching();
    await investigations(test, 7);
    test.elsewhere(4, { versions: [{ version: 1, status: 'failed' }] });
    await test.poller.tick();
    expect(test.service.calls).toEqual(['list']);
    await test.opened.clock.sleep(45_000);
    await test.poller.tick();
    expect(await test.said()).toEqual(['notice:ended:issue-4:1 {"version":1,"notice":"failed"}']);
  });

  it('does not overlap the next: one under way swallows it', async () => {
    await using test = await watching();
    await test.investigation();
    const release = test.service.hold('get');
    const first = test.poller.tick();
    await until('the first is under way', () => test.service.calls.length === 1);
    const second = test.poller.tick();
    release();
    await Promise.all([first, second]);
    expect(test.service.calls).toEqual(['get 1']);
    await test.poller.tick();
    expect(test.service.calls).toEqual(['get 1', 'get 1']);
  });

  it('looks at every issue, though one of them is broken, and at the next tick again', async () => {
    await using test = await watching();
    await investigations(test, 3);
    test.service.break('get 2', broken);
    test.elsewhere(3, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await test.said()).toEqual(['result:issue-3:1 {"version":1,"notice":"result"}']);
    expect(test.poller.degraded()).toBeNull();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await theIssue(test.store, 'issue-1')).toMatchObject({ endedVersion: 1 });
  });

  it('counts what is watched', async () => {
    await using test = await watching();
    await investigations(test, 3);
    await test.poller.tick();
    const text = await test.metrics.text();
    expect(text).toContain('gumshoe_issues_watched 3');
    expect(text).toContain('gumshoe_polls_total{outcome="ok"} 1');
  });
});

describe('a failing service', () => {
  it('is asked less and less often, with jitter, and at least every five minutes', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.break('get', broken);
    await test.poller.tick();
    const waits = [3_750, 7_500, 15_000, 30_000, 60_000, 120_000, 225_000, 225_000];
    for (const [failures, wait] of waits.entries()) {
      await test.opened.clock.sleep(wait - 1);
      await test.poller.tick();
      expect(test.service.calls).toHaveLength(failures + 1);
      await test.opened.clock.sleep(1);
      await test.poller.tick();
      expect(test.service.calls).toHaveLength(failures + 2);
    }
  });

  it('is shown as degraded until it answers again', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.fail('get', { error: broken }, { error: broken });
    await test.poller.tick();
    expect(test.poller.degraded()).toBe('the investigation service failed the last poll');
    await test.opened.clock.sleep(MINUTE);
    await test.poller.tick();
    expect(test.poller.degraded()).toBe('the investigation service failed 2 polls in a row');
    await test.opened.clock.sleep(MINUTE);
    await test.poller.tick();
    expect(test.poller.degraded()).toBeNull();
  });

  it('whose list fails is backed off from in the same way', async () => {
    await using test = await watching();
    await investigations(test, 7);
    test.service.break('list', broken);
    await test.poller.tick();
    await test.poller.tick();
    expect(test.service.calls).toEqual(['list']);
    expect(test.poller.degraded()).not.toBeNull();
  });
});

describe('an answer that cannot be used', () => {
  const unusable = new UnreadableAnswerError({
    operation: 'issues.get',
    ambiguous: false,
    problem: 'too much',
  });

  it('about one issue is asked for less and less often, while the others are looked at', async () => {
    await using test = await watching();
    await investigations(test, 3);
    test.service.break('get 2', unusable);
    await test.poller.tick();
    expect(test.poller.degraded()).toMatch(/unusable answers about one issue/);
    await test.poller.tick();
    const asked = (what: string) => test.service.calls.filter((call) => call === what).length;
    expect([asked('get 1'), asked('get 2')]).toEqual([2, 1]);
    await test.opened.clock.sleep(3_750);
    await test.poller.tick();
    await test.opened.clock.sleep(3_750);
    await test.poller.tick();
    expect([asked('get 1'), asked('get 2')]).toEqual([4, 2]);
    await test.opened.clock.sleep(7_500);
    test.service.break('get 2', null);
    await test.poller.tick();
    expect(test.poller.degraded()).toBeNull();
  });

  it('in place of the list is backed off from', async () => {
    await using test = await watching();
    await investigations(test, 7);
    test.service.break('list', unusable);
    await test.poller.tick();
    await test.poller.tick();
    expect(test.service.calls).toEqual(['list']);
    expect(test.poller.degraded()).toMatch(/failed the last poll/);
  });
});

describe('stopping', () => {
  it('cancels what is under way, counts no failure, and lets no further tick begin', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.hold('get');
    const ticking = test.poller.tick();
    await until('a call is under way', () => test.service.calls.length === 1);
    await test.poller.stop();
    await ticking;
    expect(test.poller.degraded()).toBeNull();
    await test.poller.tick();
    expect(test.service.calls).toEqual(['get 1']);
  });
});
