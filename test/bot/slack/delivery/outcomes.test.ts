import { expect, it } from 'vitest';
import { stoppedInSlack } from '../../../../src/bot/slack/delivery/outcomes.ts';
import { ALICE } from '../../../support/talking.ts';
import { growing, QUESTION } from '../support/growing.ts';

it('an answer whose stream its asker ended is stopped by them, and the answerer hears of it', async () => {
  const { store, clock, woken } = await growing();
  await store.questions.begin(QUESTION, clock.now());
  woken.length = 0;
  await stoppedInSlack(QUESTION, { store, clock });
  expect(await store.questions.get(QUESTION)).toMatchObject({ stoppedBy: ALICE });
  expect(woken).toEqual(['asked']);
});
