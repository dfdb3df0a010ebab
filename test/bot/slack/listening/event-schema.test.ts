import { expect, it } from 'vitest';
import { MessageEvent } from '../../../../src/bot/slack/listening/messages.ts';

it.each([
  ['1795221000.000100', true],
  ['1.0', true],
  ['', false],
  ['NaN', false],
  ['1e9', false],
  ['-1.0', false],
  [`${'9'.repeat(400)}.0`, false],
])('the time %o of a message can be calculated with: %o', (ts, fine) => {
  expect(MessageEvent.safeParse({ channel: 'C1', ts }).success).toBe(fine);
});
