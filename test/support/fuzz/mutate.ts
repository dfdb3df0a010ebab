import type { Chance } from '../chaos/random.ts';
import { deep } from './payload.ts';

type Holder = Record<string | number, unknown>;
type Place = { holder: Holder; key: string | number };

const STRANGE = [
  '\u0000',
  '\u0000\u0001\u001b[31m\u007f',
  '\r\n\r\nHTTP/1.1 200 OK',
  '\ud800',
  'a\udc00b\ud83d',
  '\u202e\u2066\u200b\ufeff',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "'; DROP TABLE issues; --",
  '<!channel> <@U0BOB00001> <https://evil.example|ok>',
  '{{7*7}} %s %n %00',
  '１７００００００００.000100',
  'NaN',
  '-0',
  '1e309',
  '9'.repeat(400),
];

const IDS = [
  'U0NOBODY01',
  'C0NOWHERE1',
  'T0OTHER001',
  'U0BOB00001',
  'U0GINA0001',
  'U0EVE00001',
  'C0SECRETS1',
  '',
];

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
];

/** The same as `value`, with one to four things in it that are not as they should be. */
export function mutated(value: unknown, chance: Chance): unknown {
  const copy: Holder = { root: structuredClone(value) };
  for (let left = 1 + chance.below(4); left > 0; left -= 1) {
    const place = chance.one(placesIn(copy));
    if (place) mutate(place, chance);
  }
  return copy.root;
}

function placesIn(holder: Holder): Place[] {
  return Object.entries(holder).flatMap(([key, inner]) => [
    { holder, key },
    ...(isHolder(inner) ? placesIn(inner) : []),
  ]);
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && !('deep' in value);
}

function mutate({ holder, key }: Place, chance: Chance): void {
  const before = holder[key];
  const ways: (() => void)[] = [
    () => {
      holder[key] = other(chance);
    },
    () => {
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
    },
    () => {
      holder[key] = odd(before, chance);
    },
    () => {
      holder[key] = chance.one(IDS);
    },
    () => {
      // Not by assignment, which would set the copy's own prototype.
      const name = chance.one(KEYS) ?? '';
      const inner = isHolder(before) ? before : holder;
      if (!Array.isArray(inner)) {
        Object.defineProperty(inner, name, {
          value: chance.is(0.5) ? { polluted: 'yes', isAdmin: true } : other(chance),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
    },
    () => {
      if (Array.isArray(before)) holder[key] = Array.from({ length: 300 }, () => before).flat();
      else holder[key] = [before, before];
    },
    () => {
      const from = chance.one(placesIn(holder));
      if (from) holder[key] = structuredClone(from.holder[from.key]);
    },
  ];
  chance.one(ways)?.();
}

function other(chance: Chance): unknown {
  const huge = () => (chance.one(['x', '🔥', '\u0000', '<', '```', '*_~', 'a b ']) ?? '').repeat(200_000);
  const made: (() => unknown)[] = [
    () => null,
    () => true,
    () => 0,
    () => -1,
    () => 1e21,
    () => 0.1,
    () => '',
    () => [],
    () => ({}),
    () => [null],
    () => [[[]]],
    () => ({ text: { text: { text: 'x' } } }),
    () => chance.one(STRANGE),
    () => (chance.is(0.1) ? huge() : 'x'.repeat(5_000)),
    () => deep(chance.is(0.1) ? 100_000 : 200, chance.is(0.5)),
  ];
  return chance.one(made)?.();
}

function odd(value: unknown, chance: Chance): unknown {
  if (typeof value === 'number') return chance.one([-value, value + 0.5, value * 1e15, String(value), 0]);
  if (typeof value !== 'string') return other(chance);
  const at = chance.below(value.length + 1);
  const strange = chance.one(STRANGE) ?? '';
  return chance.one([
    value.slice(0, at) + strange + value.slice(at),
    value.slice(0, at),
    value.toUpperCase(),
    value.split('').reverse().join(''),
    Number(value),
    `${value} `.repeat(50),
  ]);
}
