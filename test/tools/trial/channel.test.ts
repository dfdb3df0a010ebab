import { expect, it } from 'vitest';
import { alertsIn } from '../../../src/tools/trial.ts';

const NOON = Date.UTC(2026, 5, 14, 12) / 1000;
const message = (minutes: number, text: string) => ({
  ts: `${NOON + 60 * minutes}.000100`,
  subtype: 'bot_message',
  bot_id: 'B1',
  text,
});

it('reads the alerts of a channel as the bot does, with their recoveries as ends and without repeats', () => {
  const firing = '[FIRING:1] PressFails (press production critical)';
  const resolved = '[RESOLVED] PressFails (press production critical)';
  const found = alertsIn(
    [
      message(0, firing),
      message(5, firing),
      message(9, resolved),
      message(20, 'lunch?'),
      message(30, firing),
    ],
    'C1',
  );
  expect(
    found.map(({ name, from, to }) => ({
      name,
      from: Math.round(from / 1000 - NOON),
      to: to && Math.round(to / 1000 - NOON),
    })),
  ).toEqual([
    { name: expect.stringContaining('PressFails'), from: 0, to: 540 },
    { name: expect.stringContaining('PressFails'), from: 1800, to: null },
  ]);
});
