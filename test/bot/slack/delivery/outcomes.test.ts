import { expect, it } from 'vitest';
import { stoppedInSlack } from '../../../../src/bot/slack/delivery/outcomes.ts';
import { growing } from '../support/growing.ts';

it('an answer whose stream its asker ended is stopped by them, and the answerer hears of it', async () => {
  const { store, clock } = await growing();
  await store.questions.begin('D1:2.0', clock.now());
  let rings = 0;
  const ring = () => {
    rings += 1;
  };
  await stoppedInSlack('D1:2.0', { store, clock, ring });
  expect(await store.questions.get('D1:2.0')).toMatchObject({ stoppedBy: 'U1' });
  expect(rings).toBe(1);
});
