import { describe, expect, it } from 'vitest';
import { createStatusTracker } from '../../../src/bot/slack/status-tracker.ts';
import { manualClock } from '../../support/manual-clock.ts';

function world() {
  const clock = manualClock(1_000);
  const keeper = createStatusTracker({
    clock,
    version: '1.2.3',
    problems: () => [],
  });
  const called = (operation: string, outcome: string, status: number | null = null) =>
    keeper.serviceCalled({ operation, outcome, status, ms: 5, requestId: null });
  return { clock, keeper, called };
}

describe('how the program is doing', () => {
  it('is nothing but its start at first', () => {
    expect(world().keeper.read()).toEqual({
      version: '1.2.3',
      startedAt: 1_000,
      slackSince: null,
      service: [],
      polledAt: null,
      problems: [],
    });
  });

  it('says since when Slack delivers, however often that is heard', () => {
    const { clock, keeper } = world();
    keeper.slackConnected(true);
    clock.advance(10);
    keeper.slackConnected(true);
    expect(keeper.read().slackSince).toBe(1_000);
    keeper.slackConnected(false);
    expect(keeper.read().slackSince).toBe(null);
    keeper.slackConnected(true);
    expect(keeper.read().slackSince).toBe(1_010);
  });

  it('says when the poller looked last', () => {
    const { clock, keeper } = world();
    clock.advance(7);
    keeper.polled();
    expect(keeper.read().polledAt).toBe(1_007);
  });

  it('says of each part of the service since when it answers or fails, and when it was asked', () => {
    const { clock, keeper, called } = world();
    called('issues.get', 'ok', 200);
    clock.advance(10);
    called('issues.create', 'RejectedError', 422);
    called('query.stream', 'TimedOutError');
    clock.advance(10);
    called('query.ask', 'RejectedError', 503);
    expect(keeper.read().service).toEqual([
      { part: 'issues', state: 'answers', since: 1_000, calledAt: 1_010 },
      { part: 'query', state: 'fails', since: 1_010, calledAt: 1_020 },
    ]);
  });

  it('knows a service that is spared, and learns nothing from a call that its caller ended', () => {
    const { clock, keeper, called } = world();
    called('issues.get', 'UnreachableError');
    clock.advance(10);
    called('issues.get', 'CircuitOpenError');
    called('issues.get', 'CancelledError');
    expect(keeper.read().service).toEqual([
      { part: 'issues', state: 'held_back', since: 1_010, calledAt: 1_000 },
    ]);
  });
});
