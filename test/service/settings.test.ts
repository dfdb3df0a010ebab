import { expect, it } from 'vitest';
import { readServiceSettings } from '../../src/service/settings.ts';

const DEFAULTS = {
  host: '127.0.0.1',
  metricsPort: null,
  logLevel: 'info',
  retentionDays: 365,
  telemetry: null,
  model: null,
  changesToken: null,
  changesSecrets: {},
};

it('has a development key, a port and a file where nothing is set', () => {
  expect(readServiceSettings({ PORT: '', OTHER: 'x' })).toEqual({
    settings: {
      ...DEFAULTS,
      port: 4010,
      keys: { 'development-key': 'development' },
      file: './data/service.db',
      postgres: null,
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
      ...DEFAULTS,
      port: 0,
      keys: { k1: 'acme', k2: 'globex', k3: 'acme' },
      file: '/var/lib/service.db',
      postgres: null,
      developmentKey: null,
    },
  });
});

it('says everything that is wrong, a line each, and no key', () => {
  const read = readServiceSettings({
    PORT: '70000',
    SERVICE_API_KEYS: 'k1:acme,hush',
    DATABASE_URL: 'postgres://localhost:no-port/x?password=hush',
  });
  expect(read).toEqual({
    problems: [
      'PORT must be a whole number from 0 to 65535; for example PORT=4010',
      'SERVICE_API_KEYS must be comma-separated key:organization pairs (pair 2 is malformed); for example SERVICE_API_KEYS=a-long-random-key:acme,another-long-key:globex',
      'DATABASE_URL is not a URL: write postgres://user:password@host/database, with %-codes for special characters; for example DATABASE_URL=postgres://gumshoe:password@database.example.com/gumshoe_service',
    ],
  });
});

it('refuses a key twice and a URL of another kind', () => {
  const read = readServiceSettings({ SERVICE_API_KEYS: 'k1:a,k1:b', DATABASE_URL: 'service.db' });
  expect(read).toEqual({
    problems: [
      'SERVICE_API_KEYS lists the same key twice, but a key belongs to exactly one organization; for example SERVICE_API_KEYS=a-long-random-key:acme,another-long-key:globex',
      'DATABASE_URL must start with sqlite: or postgres://; for example DATABASE_URL=postgres://gumshoe:password@database.example.com/gumshoe_service',
    ],
  });
});

it('reads where PostgreSQL is, and how to reach it without a pooler', () => {
  const [url, direct] = ['postgres://u:p%40w@pooler:6432/service', 'postgresql://u:p%40w@db/service'];
  expect(readServiceSettings({ DATABASE_URL: url })).toMatchObject({
    settings: { postgres: { url, directUrl: url } },
  });
  expect(readServiceSettings({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct })).toMatchObject({
    settings: { postgres: { url, directUrl: direct } },
  });
});

it.each([
  [{ DATABASE_URL: 'postgres://u:hush/@db/service' }, /^DATABASE_URL is not a URL/u],
  [{ DATABASE_URL: 'postgres://u:hush@db' }, /^DATABASE_URL must name a database/u],
  [
    { DATABASE_URL: 'postgres://u:hush@db/service', DATABASE_DIRECT_URL: 'hush@db' },
    /^DATABASE_DIRECT_URL must start with postgres/u,
  ],
  [
    { DATABASE_DIRECT_URL: 'postgres://u:hush@db/service' },
    /^DATABASE_DIRECT_URL belongs to a PostgreSQL database: set DATABASE_URL too/u,
  ],
])('says what is wrong with the address of a database, without its password: %o', (environment, problem) => {
  const read = readServiceSettings(environment);
  const problems = 'problems' in read ? read.problems : [];
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(problems.join()).not.toContain('hush');
});

it('reads where telemetry is, and on which addresses it serves', () => {
  const read = readServiceSettings({
    PROMETHEUS_URL: 'https://prometheus.example.com/prefix',
    PROMETHEUS_USER: 'reader',
    PROMETHEUS_PASSWORD: 'hush',
    PROMETHEUS_ORG_ID: 'team-a',
    GRAFANA_URL: 'https://grafana.example.com',
    TELEMETRY_MAX_REQUESTS: '100',
    HOST: '0.0.0.0',
    METRICS_PORT: '9100',
    LOG_LEVEL: 'debug',
  });
  expect(read).toMatchObject({
    settings: {
      host: '0.0.0.0',
      metricsPort: 9100,
      logLevel: 'debug',
      telemetry: {
        prometheus: {
          url: 'https://prometheus.example.com/prefix',
          user: 'reader',
          password: 'hush',
          orgId: 'team-a',
        },
        grafanaUrl: 'https://grafana.example.com',
        limits: { requests: 100, ms: 60_000 },
      },
    },
  });
});

it('reads where the other sources are, each alone enough', () => {
  expect(
    readServiceSettings({
      LOKI_URL: 'http://loki:3100',
      LOKI_ORG_ID: 'team-a',
      TEMPO_URL: 'http://tempo:3200',
      JAEGER_URL: 'http://jaeger:16686',
      KUBERNETES: 'in-cluster',
      ARGOCD_URL: 'https://argocd.example.com',
      ARGOCD_TOKEN: 'hush',
      GITHUB_REPOSITORIES: 'acme/cart, acme/search',
      GITHUB_TOKEN: 'hush',
      GRAFANA_URL: 'https://grafana.example.com',
      GRAFANA_TOKEN: 'hush',
    }),
  ).toMatchObject({
    settings: {
      telemetry: {
        prometheus: null,
        loki: { url: 'http://loki:3100', orgId: 'team-a' },
        tempo: { url: 'http://tempo:3200' },
        jaeger: { url: 'http://jaeger:16686' },
        kubernetes: [{ name: null, where: 'in-cluster' }],
        argocd: { url: 'https://argocd.example.com', token: 'hush' },
        github: {
          url: 'https://api.github.com',
          repositories: ['acme/cart', 'acme/search'],
          token: 'hush',
        },
        grafanaToken: 'hush',
      },
    },
  });
});

it.each([
  [{ LOKI_TOKEN: 'hush' }, /^LOKI_URL is missing: LOKI_TOKEN is set/u],
  [{ TEMPO_URL: 'tempo' }, /^TEMPO_URL must be a URL/u],
  [{ GITHUB_REPOSITORIES: 'acme' }, /^GITHUB_REPOSITORIES must be .* \(number 1 is malformed\)/u],
  [{ GRAFANA_TOKEN: 'hush' }, /^GRAFANA_URL is missing: GRAFANA_TOKEN is set/u],
])('says in one line what is wrong with a source: %o', (environment, problem) => {
  const read = readServiceSettings(environment);
  expect('problems' in read && read.problems).toEqual([expect.stringMatching(problem)]);
  expect(JSON.stringify(read)).not.toContain('hush');
});

it('needs keys and a source of telemetry in production', () => {
  expect(readServiceSettings({ NODE_ENV: 'production' })).toEqual({
    problems: [
      'SERVICE_API_KEYS is missing: with NODE_ENV=production there is no development key; for example SERVICE_API_KEYS=a-long-random-key:acme,another-long-key:globex',
      'PROMETHEUS_URL is missing: with NODE_ENV=production nothing is simulated. Set it, or another source (LOKI_URL, VICTORIALOGS_URL, ELASTICSEARCH_URL, TEMPO_URL, JAEGER_URL, KUBERNETES, LOG_FILES, JOURNALD, or GRAFANA_URL with GRAFANA_TOKEN); for example PROMETHEUS_URL=http://prometheus:9090',
    ],
  });
  expect(
    readServiceSettings({
      NODE_ENV: 'production',
      SERVICE_API_KEYS: 'key-of-sixteen-letters:acme',
      PROMETHEUS_URL: 'http://prometheus:9090',
    }),
  ).toMatchObject({ settings: { host: '0.0.0.0', developmentKey: null } });
});

it('refuses short keys in production', () => {
  const env = { NODE_ENV: 'production', PROMETHEUS_URL: 'http://prometheus:9090' };
  const keys = {
    SERVICE_API_KEYS: 'key-of-sixteen-letters:acme,short:globex-and-others',
    CHANGES_TOKEN: 'x',
  };
  const read = readServiceSettings({ ...env, ...keys });
  expect('problems' in read && read.problems.map((one) => one.split(';')[0])).toEqual([
    'SERVICE_API_KEYS holds a key that is too short for NODE_ENV=production: it needs at least 16 characters',
    'CHANGES_TOKEN is too short for NODE_ENV=production: a secret needs at least 16 characters',
  ]);
});

it.each([
  [{ PROMETHEUS_URL: 'prometheus:9090' }, /^PROMETHEUS_URL must be a URL starting with http/u],
  [{ PROMETHEUS_TOKEN: 'hush' }, /^PROMETHEUS_URL is missing: PROMETHEUS_TOKEN is set/u],
  [
    {
      PROMETHEUS_URL: 'http://p',
      PROMETHEUS_TOKEN: 'hush',
      PROMETHEUS_USER: 'a',
      PROMETHEUS_PASSWORD: 'hush',
    },
    /^PROMETHEUS_TOKEN and PROMETHEUS_USER are both set/u,
  ],
  [
    { PROMETHEUS_URL: 'http://p', PROMETHEUS_USER: 'a' },
    /^PROMETHEUS_PASSWORD is missing: PROMETHEUS_USER is set/u,
  ],
  [
    { PROMETHEUS_URL: 'http://p', TELEMETRY_MAX_REQUESTS: '0' },
    /^TELEMETRY_MAX_REQUESTS must be a whole number/u,
  ],
  [{ METRICS_PORT: 'x' }, /^METRICS_PORT must be a whole number from 0 to 65535/u],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of fatal/u],
])('says what is wrong with %j, without its value', (environment, problem) => {
  const read = readServiceSettings(environment);
  const problems = 'problems' in read ? read.problems : [];
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(problems.join()).not.toContain('hush');
});
