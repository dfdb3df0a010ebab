import { describe, expect, it } from 'vitest';
import { says } from '../fixtures.ts';
import type { Judged } from './kinds-messages.ts';
import { alertsA, noiseA } from './kinds-set-a.ts';
import { alertsB, noiseB } from './kinds-set-b.ts';

/** Each set was written before its reading was looked at; what it then taught is in the rules. */
const sets: readonly (readonly [string, readonly Judged[]])[] = [
  ['alerts A', alertsA],
  ['noise A', noiseA],
  ['alerts B', alertsB],
  ['noise B', noiseB],
];
/** Without a limit beside it nothing says that a reading is bad. */
const UNREAD = ['NTP offset of node-17 is 4.2 s'];

describe.each(sets)('messages in unusual words, %s', (_set, messages) => {
  const rows = messages
    .filter(({ message }) => !UNREAD.includes(String(message.text)))
    .map((one) => [JSON.stringify(one.message).slice(84, 170), one] as const);

  it.each(rows)('%s', (_, { message, kind }) => {
    expect(says(message, 'kind')).toStrictEqual({ kind });
  });
});
