import { expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { asking, waiting } from './support.ts';

it('has the message of a question refreshed that waits for a free place, so that it says so', async () => {
  await using test = await asking();
  const held = [1, 2, 3, 4, 5].map((n) => waiting(`answer ${n}`));
  test.service.answers.push(...held.map((h) => h.answering));
  test.answerer.start();
  for (const n of [1, 2, 3, 4, 5]) await test.ask(`q${n}`, { threadTs: `${n}.0` });
  await until('four are being asked', () => test.service.questions.length === 4);
  expect(await test.wanted('q5')).toBe(1);
  await test.opened.clock.sleep(2_000);
  test.asked.wake();
  await until('it waits long enough to be told so', async () => (await test.wanted('q5')) > 1);
  expect(await test.store.questions.get('q5')).toMatchObject({ state: 'queued' });
  for (const { release } of held) release();
  await test.reached('q5', 'complete');
});
