import { expect, it } from 'vitest';
import { createMetrics, showEventLoopLag, watchEventLoop } from '../../src/bot/shared/metrics.ts';
import { manualClock } from '../support/manual-clock.ts';

/** Measures what the test says, in milliseconds. */
function delays() {
  const state = { max: 0, count: 0, enabled: false };
  return {
    state,
    took: (ms: number) => {
      state.max = Math.max(state.max, ms * 1e6);
      state.count += 1;
    },
    histogram: {
      get max() {
        return state.max;
      },
      get count() {
        return state.count;
      },
      reset: () => Object.assign(state, { max: 0, count: 0 }),
      enable: () => {
        state.enabled = true;
        return true;
      },
      disable: () => {
        state.enabled = false;
        return true;
      },
    },
  };
}

it('the longest stall is shown for a minute at least, however often the metrics are read, and then no more', async () => {
  const clock = manualClock();
  const { histogram, took, state } = delays();
  const watch = watchEventLoop(clock, histogram);
  const metrics = createMetrics();
  showEventLoopLag(metrics, watch);
  const shown = async () => /^gumshoe_event_loop_lag_seconds (.*)$/mu.exec(await metrics.text())?.[1];
  expect(await shown()).toBe('0');
  took(120);
  took(600);
  took(110);
  for (let n = 0; n < 8; n += 1) {
    expect(await shown()).toBe('0.5');
    clock.advance(15_000);
  }
  clock.advance(60_000);
  await shown();
  expect(await shown()).toBe('0');
  watch.close();
  expect(state.enabled).toBe(false);
});
