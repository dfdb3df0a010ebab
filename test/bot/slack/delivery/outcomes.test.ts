import { expect, it } from 'vitest';
import { stoppedInSlack } from '../../../../src/bot/slack/delivery/outcomes.ts';
import { growing } from '../support/growing.ts';

it('an answer whose stream its asker ended is stopped by them, and the answerer hears of it', async () => {
  const { store, clock, woken } = await growing();
  await store.questions.begin('D1:2.0', clock.now());
  woken.length = 0;
  await stoppedInSlack('D1:2.0', { store, clock });
  expect(await store.questions.get('D1:2.0')).toMatchObject({ stoppedBy: 'U1' });
  expect(woken).toEqual(['asked']);
});
