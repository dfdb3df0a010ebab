import { expect, it } from 'vitest';
import { readServiceSettings } from '../../../src/service/api/settings.ts';

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
      'PORT must be a number from 0 to 65535, for example PORT=4010 (it is "70000")',
      'SERVICE_API_KEYS must be key:organisation pairs with commas between, for example k1:acme,k2:globex (pair 2 is not one)',
      'DATABASE_URL names PostgreSQL, which the service does not support; use SQLite, for example sqlite:./data/service.db',
    ],
  });
});

it('refuses a key twice and a URL of another kind', () => {
  const read = readServiceSettings({ SERVICE_API_KEYS: 'k1:a,k1:b', DATABASE_URL: 'service.db' });
  expect(read).toEqual({
    problems: [
      'SERVICE_API_KEYS names the same key twice; each key belongs to one organisation',
      'DATABASE_URL must name a SQLite file, for example sqlite:./data/service.db',
    ],
  });
});
