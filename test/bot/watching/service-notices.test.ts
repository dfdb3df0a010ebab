import { describe, expect, it } from 'vitest';
import { isFixed, wrong } from '../../../src/bot/watching/service-watch.ts';
import type { ServiceHealth } from '../../../src/contract/client/guard.ts';

const NOW = 100 * 60_000;
const LONG = NOW - 60_000;
const well: ServiceHealth = {
  key: null,
  refused: new Map(),
  working: new Set(),
  filing: null,
  reading: null,
};

describe('what is wrong with the service', () => {
  it('is nothing where all works, or nothing is known', () => {
    expect(wrong(well, NOW)).toEqual([]);
  });

  it('is the key at once, and then nothing else counts', () => {
    const key = { since: NOW };
    const filing = { since: LONG, reason: 'failing' } as const;
    const refused = new Map([['issues.get', LONG]]);
    expect(wrong({ ...well, key, filing, refused }, NOW)).toEqual([
      { name: 'service:key', reason: '401', since: NOW, detail: '' },
    ]);
  });

  it('is down after a minute, since its first failure', () => {
    const filing = { since: LONG, reason: 'failing' } as const;
    const reading = { since: LONG - 1, reason: 'silent' } as const;
    expect(wrong({ ...well, filing: { ...filing, since: LONG + 1 } }, NOW)).toEqual([]);
    expect(wrong({ ...well, filing, reading }, NOW)).toEqual([
      { name: 'service:down', reason: 'silent', since: LONG - 1, detail: '' },
    ]);
  });

  it('is a right that Gumshoe needs and has not had for a minute; deleting is not one', () => {
    const refused = new Map([
      ['issues.create', LONG],
      ['issues.get', LONG + 1],
      ['issues.delete', LONG],
    ]);
    expect(wrong({ ...well, refused }, NOW)).toEqual([
      { name: 'service:right:issues.create', reason: 'refused', since: LONG, detail: '' },
    ]);
  });
});

describe('a key without permission for a plain read', () => {
  const refused = new Map([
    ['issues.page', LONG],
    ['issues.create', LONG],
  ]);

  it('has no permissions at all, unless something else works', () => {
    expect(wrong({ ...well, refused }, NOW)).toEqual([
      { name: 'service:key', reason: '403', since: LONG, detail: '' },
    ]);
    const working = new Set(['query.stream']);
    expect(wrong({ ...well, refused, working }, NOW).map(({ name }) => name)).toEqual([
      'service:right:issues.page',
      'service:right:issues.create',
    ]);
  });
});

describe('a problem of the service', () => {
  const read = { ...well, working: new Set(['issues.page']) };
  const filed = { ...well, working: new Set(['issues.page', 'issues.create']) };
  const down = { since: NOW, reason: 'failing' } as const;

  it.each<[string, ServiceHealth, boolean, boolean]>([
    ['service:key', well, false, false],
    ['service:key', read, false, true],
    ['service:key', { ...read, key: { since: 0 } }, false, false],
    ['service:right:issues.create', read, false, false],
    ['service:right:issues.create', filed, false, true],
    ['service:down', well, false, false],
    ['service:down', read, false, true],
    ['service:down', read, true, false],
    ['service:down', filed, true, true],
    ['service:down', { ...filed, reading: down }, false, false],
    ['service:down', { ...read, filing: down }, false, false],
  ])('%s, as it stands %o, with alerts waiting %s: fixed %s', (name, health, waits, is) => {
    expect(isFixed(name, health, waits)).toBe(is);
  });
});
