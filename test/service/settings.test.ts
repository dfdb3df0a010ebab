import { expect, it } from 'vitest';
import { readServiceSettings } from '../../src/service/settings.ts';

it('has a development key, a port and a file where nothing is set', () => {
  expect(readServiceSettings({ PORT: '', OTHER: 'x' })).toEqual({
    settings: {
      port: 4010,
      keys: { 'development-key': 'development' },
      file: './data/service.db',
      developmentKey: 'development-key',
    },
  });
});

it('reads every variable', () => {
  const read = readServiceSettings({
    PORT: '0',
    SERVICE_API_KEYS: 'k1:acme, k2:globex,k3:acme',
    DATABASE_URL: 'sqlite:/var/lib/service.db',
  });
  expect(read).toEqual({
    settings: {
      port: 0,
      keys: { k1: 'acme', k2: 'globex', k3: 'acme' },
      file: '/var/lib/service.db',
      developmentKey: null,
    },
  });
});

it('says everything that is wrong, a line each, and no key', () => {
  const read = readServiceSettings({
    PORT: '70000',
    SERVICE_API_KEYS: 'k1:acme,hush',
    DATABASE_URL: 'postgres://localhost/x',
  });
  expect(read).toEqual({
    problems: [
      'PORT must be a number from 0 to 65535, such as PORT=4010 (got "70000")',
      'SERVICE_API_KEYS must be comma-separated key:organisation pairs, such as k1:acme,k2:globex (pair 2 is malformed)',
      'DATABASE_URL points to PostgreSQL, which the service does not support; use SQLite, such as sqlite:./data/service.db',
    ],
  });
});

it('refuses a key twice and a URL of another kind', () => {
  const read = readServiceSettings({ SERVICE_API_KEYS: 'k1:a,k1:b', DATABASE_URL: 'service.db' });
  expect(read).toEqual({
    problems: [
      'SERVICE_API_KEYS lists the same key twice; a key belongs to exactly one organisation',
      'DATABASE_URL must point to a SQLite file, such as sqlite:./data/service.db',
    ],
  });
});
