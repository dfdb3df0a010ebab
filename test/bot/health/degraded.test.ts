import { expect, it } from 'vitest';
import { createDegraded } from '../../../src/bot/health/degraded.ts';

it('what is degraded is asked of each part each time, in the order in which they were added', () => {
  const degraded = createDegraded();
  let poller: string | null = null;
  degraded.add(() => poller);
  degraded.add(() => ['two', 'three']);
  expect(degraded.read()).toEqual(['two', 'three']);
  poller = 'one';
  expect(degraded.read()).toEqual(['one', 'two', 'three']);
});
