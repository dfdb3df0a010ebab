import { expect, it } from 'vitest';
import { playFuzz } from '../support/fuzz/play.ts';

/** `npm run chaos` sends many more, with other seeds. */
const COUNT = 250;
const SEED = 7;
/** What lives on is caches of a bounded size. */
const GROWTH_BYTES = 25_000_000;

it(`${COUNT} signed payloads that are not quite right do no harm`, async () => {
  const { problems, kinds, statuses, heap } = await playFuzz({ count: COUNT, seed: SEED });
  expect(problems).toEqual([]);
  const [before, , after] = heap;
  expect(after - before).toBeLessThan(GROWTH_BYTES);
  // A run that sent next to nothing would find nothing either.
  expect(Object.values(statuses).reduce((sum, n) => sum + n)).toBe(COUNT);
  expect(statuses[200]).toBeGreaterThan(COUNT / 2);
  expect(kinds).toEqual(
    expect.arrayContaining([
      'command /gumshoe',
      'event app_mention',
      'event message bot_message',
      'event message message_changed',
      'message_action investigate_this',
      'shortcut new_issue',
      'view_submission issue:new',
      'view_submission settings:save',
    ]),
  );
});
