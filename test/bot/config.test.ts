import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../../src/bot/config.ts';
import { botVariables } from '../../src/bot/variables.ts';
import { variablesOf } from '../../src/lib/environment.ts';
import { anyCodePoint } from '../support/code-point.ts';
import { projectRoot } from '../support/files.ts';

const socket = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
const service = { ISSUE_SERVICE_URL: 'https://issues.example.com/api/v2/', ISSUE_SERVICE_API_KEY: 'key-1' };
const real = { ...socket, ...service };

function configOf(env: Record<string, string>): Config {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.config;
}

function problemsOf(env: Record<string, string>): string[] {
  const result = readConfig(env);
  return result.ok ? [] : result.problems;
}

describe('an environment that states nothing', () => {
  it('embeds everything, on loopback, with the documented defaults', () => {
    expect(configOf({})).toEqual({
      secrets: [],
      production: false,
      slack: null,
      service: null,
      simulated: false,
      database: { kind: 'sqlite', file: './data/gumshoe.db' },
      databaseDirectUrl: null,
      port: 3000,
      metricsPort: null,
      host: '127.0.0.1',
      pollCron: '*/15 * * * * *',
      alertChannels: [],
      webhooks: { token: null, secrets: new Map(), topics: [], maps: new Map() },
      alertRoutes: [],
      mcp: null,
      alertmanager: null,
      statusPages: [],
      tickets: null,
      ownersFile: null,
      onCall: null,
      runbookSource: null,
      runbookHosts: [],
      tracing: null,
      defaultEnvironment: 'production',
      adminUsers: [],
      settingsBy: 'members',
      allowGuests: false,
      allowExternal: false,
      allowSimulated: false,
      maxIssuesPerDay: 500,
      reactions: { causeFound: 'mag_right', noCause: 'shrug', resolved: 'white_check_mark' },
      filePerUserHour: 30,
      askTimeoutSeconds: 180,
      askPerUserHour: 120,
      askPerChannelHour: 600,
      shareUserNames: false,
      shareThread: true,
      retentionDays: 90,
      logLevel: 'info',
      proxy: null,
    });
  });

  it('is the same as one that states empty texts', () => {
    expect(configOf({ SLACK_BOT_TOKEN: '', PORT: ' ', ISSUE_SERVICE_URL: '', HOST: '' })).toEqual(
      configOf({}),
    );
  });

  it('is an error with NODE_ENV=production, which embeds nothing', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'SLACK_BOT_TOKEN is missing: nothing is embedded with NODE_ENV=production; for example SLACK_BOT_TOKEN=xoxb-your-bot-token',
      'SLACK_APP_TOKEN is missing: nothing is embedded with NODE_ENV=production; set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP; for example SLACK_APP_TOKEN=xapp-your-app-level-token',
      'ISSUE_SERVICE_URL is missing: nothing is embedded with NODE_ENV=production; for example ISSUE_SERVICE_URL=https://issues.example.com/api/v2',
      'ISSUE_SERVICE_API_KEY is missing: nothing is embedded with NODE_ENV=production; for example ISSUE_SERVICE_API_KEY=your-service-api-key',
    ]);
  });
});

describe('a whole configuration', () => {
  it('is read, every variable of it', () => {
    const config = configOf({
      ...real,
      SLACK_API_URL: 'http://127.0.0.1:4001/api/',
      DATABASE_URL: 'sqlite:/data/gumshoe.db',
      PORT: '8080',
      METRICS_PORT: '9090',
      HOST: '::1',
      POLL_CRON: '*/5 * * * *',
      ALERT_CHANNELS: 'C0123ABCD, G0456EFGH,C0123ABCD,',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a-token, x-tenant=shop',
      DEFAULT_ENVIRONMENT: 'staging',
      ADMIN_USERS: 'U0123ABCD,W0456EFGH',
      SETTINGS_BY: 'admins',
      ALLOW_GUESTS: '1',
      ALLOW_EXTERNAL: 'yes',
      ALLOW_SIMULATED: 'TRUE',
      MAX_ISSUES_PER_DAY: '50',
      ASK_TIMEOUT_SECONDS: '60',
      ASK_PER_USER_HOUR: '3',
      FILE_PER_USER_HOUR: '4',
      ASK_PER_CHANNEL_HOUR: '12',
      SHARE_USER_NAMES: 'true',
      STATUS_PAGES: 'API.stripe.com=https://status.stripe.com/',
      SHARE_THREAD: 'no',
      RETENTION_DAYS: '30',
      LOG_LEVEL: 'debug',
      HTTPS_PROXY: 'http://user:pass@proxy.example.com:3128',
      NO_PROXY: 'localhost',
      NODE_EXTRA_CA_CERTS: `${projectRoot}test/fixtures/tls/ca.pem`,
    });
    expect(config).toEqual({
      secrets: expect.any(Array),
      production: false,
      slack: { mode: 'socket', botToken: 'xoxb-1', appToken: 'xapp-1', apiUrl: 'http://127.0.0.1:4001/api/' },
      service: { url: 'https://issues.example.com/api/v2', apiKey: 'key-1', version: '2026-03-17' },
      simulated: false,
      database: { kind: 'sqlite', file: '/data/gumshoe.db' },
      databaseDirectUrl: null,
      port: 8080,
      metricsPort: 9090,
      host: '::1',
      pollCron: '*/5 * * * *',
      alertChannels: ['C0123ABCD', 'G0456EFGH'],
      webhooks: { token: null, secrets: new Map(), topics: [], maps: new Map() },
      alertRoutes: [],
      mcp: null,
      alertmanager: null,
      statusPages: [{ host: 'api.stripe.com', url: 'https://status.stripe.com' }],
      tickets: null,
      ownersFile: null,
      onCall: null,
      runbookSource: null,
      runbookHosts: [],
      tracing: {
        endpoint: 'http://otel:4318',
        headers: { authorization: 'Bearer a-token', 'x-tenant': 'shop' },
      },
      defaultEnvironment: 'staging',
      adminUsers: ['U0123ABCD', 'W0456EFGH'],
      settingsBy: 'admins',
      allowGuests: true,
      allowExternal: true,
      allowSimulated: true,
      maxIssuesPerDay: 50,
      reactions: { causeFound: 'mag_right', noCause: 'shrug', resolved: 'white_check_mark' },
      filePerUserHour: 4,
      askTimeoutSeconds: 60,
      askPerUserHour: 3,
      askPerChannelHour: 12,
      shareUserNames: true,
      shareThread: false,
      retentionDays: 30,
      logLevel: 'debug',
      proxy: { https: 'http://user:pass@proxy.example.com:3128', except: 'localhost' },
    });
  });

  it('listens on every address, where nothing is embedded', () => {
    expect(configOf(real).host).toBe('0.0.0.0');
    expect(configOf(service).host).toBe('127.0.0.1');
  });

  it('takes HTTP with a signing secret, and Socket Mode where both are set', () => {
    const signed = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'shh', ...service };
    expect(configOf(signed).slack).toEqual({
      mode: 'http',
      botToken: 'xoxb-1',
      signingSecrets: ['shh'],
      apiUrl: 'https://slack.com/api/',
    });
    expect(configOf({ ...signed, SLACK_APP_TOKEN: 'xapp-1' }).slack).toMatchObject({ mode: 'socket' });
  });

  it('may use any free port for both, so that a test need not choose', () => {
    expect(configOf({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 });
  });
});

describe('a key for private channels', () => {
  const key = 'second-key-for-private-channels';

  it('is read beside the other', () => {
    expect(configOf({ ...real, ISSUE_SERVICE_PRIVATE_API_KEY: ` ${key} ` }).service).toEqual({
      url: 'https://issues.example.com/api/v2',
      apiKey: 'key-1',
      privateApiKey: key,
      version: '2026-03-17',
    });
  });

  it('is half of a pair alone', () => {
    const result = readConfig({ ISSUE_SERVICE_PRIVATE_API_KEY: key });
    expect(result).toEqual({
      ok: false,
      problems: [
        'ISSUE_SERVICE_URL is missing: ISSUE_SERVICE_PRIVATE_API_KEY is set; for example ISSUE_SERVICE_URL=https://issues.example.com/api/v2',
        'ISSUE_SERVICE_API_KEY is missing: ISSUE_SERVICE_PRIVATE_API_KEY is set; for example ISSUE_SERVICE_API_KEY=your-service-api-key',
      ],
    });
  });

  it('is not the same key once more, and the problem names both variables', () => {
    const result = readConfig({ ...real, ISSUE_SERVICE_PRIVATE_API_KEY: 'key-1' });
    expect(result).toEqual({
      ok: false,
      problems: [
        'ISSUE_SERVICE_PRIVATE_API_KEY must differ from ISSUE_SERVICE_API_KEY: it must be the key of a second organization; for example ISSUE_SERVICE_PRIVATE_API_KEY=your-api-key-of-a-second-organization',
      ],
    });
  });
});

describe('half of a pair', () => {
  const needsBot = (given: string) =>
    `SLACK_BOT_TOKEN is missing: ${given} is set; for example SLACK_BOT_TOKEN=xoxb-your-bot-token`;
  const needsApp = (given: string) =>
    `SLACK_APP_TOKEN is missing: ${given} is set; set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP; for example SLACK_APP_TOKEN=xapp-your-app-level-token`;

  it.each([
    [{ SLACK_BOT_TOKEN: 'xoxb-1' }, [needsApp('SLACK_BOT_TOKEN')]],
    [{ SLACK_APP_TOKEN: 'xapp-1' }, [needsBot('SLACK_APP_TOKEN')]],
    [{ SLACK_SIGNING_SECRET: 'shh' }, [needsBot('SLACK_SIGNING_SECRET')]],
    [{ SLACK_API_URL: 'http://localhost/api/' }, [needsBot('SLACK_API_URL'), needsApp('SLACK_API_URL')]],
  ])('of Slack is an error: %o', (given, problems) => {
    expect(problemsOf({ ...service, ...given })).toEqual(problems);
  });

  it('of the service is an error', () => {
    expect(problemsOf({ ISSUE_SERVICE_URL: service.ISSUE_SERVICE_URL })).toEqual([
      'ISSUE_SERVICE_API_KEY is missing: ISSUE_SERVICE_URL is set; for example ISSUE_SERVICE_API_KEY=your-service-api-key',
    ]);
    expect(problemsOf({ ISSUE_SERVICE_API_KEY: 'key-1' })).toEqual([
      'ISSUE_SERVICE_URL is missing: ISSUE_SERVICE_API_KEY is set; for example ISSUE_SERVICE_URL=https://issues.example.com/api/v2',
    ]);
  });
});

describe('a real Slack with the embedded service', () => {
  const refused = [
    'ISSUE_SERVICE_URL is missing while Slack is real: set it, a telemetry source (for example PROMETHEUS_URL), or ALLOW_SIMULATED=true for simulated systems; for example ISSUE_SERVICE_URL=https://issues.example.com/api/v2',
  ];

  it('is refused', () => {
    expect(problemsOf(socket)).toEqual(refused);
    expect(problemsOf({ ...socket, ALLOW_SIMULATED: 'false' })).toEqual(refused);
  });

  it('is marked as simulated where it is allowed', () => {
    const config = configOf({ ...socket, ALLOW_SIMULATED: 'true' });
    expect(config).toMatchObject({ simulated: true, service: null, host: '127.0.0.1' });
  });

  it('is refused in production, allowed or not', () => {
    const env = { SLACK_BOT_TOKEN: 'xoxb-1234567890-a', SLACK_APP_TOKEN: 'xapp-1234567890-a' };
    expect(problemsOf({ ...env, ALLOW_SIMULATED: 'true', NODE_ENV: 'production' })).toHaveLength(2);
  });
});

describe('in production', () => {
  const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'.replace(/[yz]/gu, 'e');
  const served = {
    NODE_ENV: 'production',
    SLACK_BOT_TOKEN: 'xoxb-1234567890-a',
    SLACK_SIGNING_SECRET: SECRET,
    ISSUE_SERVICE_URL: 'https://issues.example.com/api/v2',
    ISSUE_SERVICE_API_KEY: 'key-of-16-letters',
  };
  const namesOf = (env: Record<string, string>) =>
    problemsOf({ ...served, ...env }).map((line) => /^\w+/u.exec(line)?.[0]);

  it.each(['ISSUE_SERVICE_URL', 'SLACK_API_URL'])('%s may be http:// on this machine alone', (name) => {
    for (const url of [
      'http://127.0.0.1:4010/api/',
      'http://127.8.9.1/api/',
      'http://localhost:4010/api/',
      'http://[::1]:4010/api/',
      'https://10.0.0.7/api/',
    ])
      expect(configOf({ ...served, [name]: url }).production).toBe(true);
    for (const url of [
      'http://issues.example.com/api/v2',
      'HTTP://10.0.0.7/api/',
      'http://127.0.0.1.example.com/',
      'http://localhost.example.com/',
      'http://0.0.0.0/',
      'http://[::ffff:10.0.0.7]/',
    ]) {
      expect(namesOf({ [name]: url })).toEqual([name]);
      expect(namesOf({ [name]: url, ALLOW_INSECURE_HTTP: 'false' })).toEqual([name]);
      expect(configOf({ ...served, [name]: url, ALLOW_INSECURE_HTTP: 'true' }).production).toBe(true);
      expect(configOf({ ...served, [name]: url, NODE_ENV: 'development' }).production).toBe(false);
    }
  });

  it.each([
    'changeme',
    'your-signing-secret',
    SECRET.slice(1),
    `${SECRET}0`,
    SECRET.toUpperCase(),
    'g'.repeat(32),
  ])('%s is no signing secret, and the line says where there is one', (secret) => {
    const [line, ...more] = problemsOf({ ...served, SLACK_SIGNING_SECRET: secret });
    expect(line).toContain('SLACK_SIGNING_SECRET is not a signing secret');
    expect(line).toContain('Basic Information');
    expect([line?.includes(secret), more]).toEqual([false, []]);
  });

  it.each([
    ['ISSUE_SERVICE_API_KEY', 'short', 'your-service-api-key'],
    ['SLACK_BOT_TOKEN', 'xoxb-1', 'xoxb-your-bot-token'],
    ['ALERT_WEBHOOK_TOKEN', 'fifteen-letters', 'a-long-random-text'],
    ['ALERT_WEBHOOK_SECRET_GRAFANA', `${SECRET},x`, 'a-long-random-text'],
  ])('%s is refused where it is short', (name, value, example) => {
    expect(problemsOf({ ...served, [name]: value })).toEqual([
      `${name} is too short for NODE_ENV=production: a secret needs at least 16 characters; for example ${name}=${example}`,
    ]);
    expect(problemsOf({ ...served, [name]: value, NODE_ENV: 'development' })).toEqual([]);
  });

  it('a password of another system may be short', () => {
    const env = {
      ALERTMANAGER_URL: 'https://am.example.com',
      ALERTMANAGER_USER: 'u',
      ALERTMANAGER_PASSWORD: 'p',
    };
    expect(problemsOf({ ...served, ...env })).toEqual([]);
  });
});

it('runbooks of a repository are read with the token of its host, and of no other', () => {
  const tokens = {
    GITHUB_TOKEN: 'of-github',
    GITLAB_TOKEN: 'of-gitlab',
    GITLAB_URL: 'https://git.acme.example/',
  };
  const of = (RUNBOOKS: string) => configOf({ ...tokens, RUNBOOKS }).runbookSource;
  expect(of('./runbooks')).toEqual({ kind: 'folder', path: './runbooks' });
  expect(of('https://github.com/acme/runbooks')).toMatchObject({ token: 'of-github' });
  expect(of('https://git.acme.example/acme/runbooks')).toMatchObject({
    repository: { host: 'gitlab', api: 'https://git.acme.example/api/v4' },
    token: 'of-gitlab',
  });
});

describe('a bad value', () => {
  it.each([
    ['SLACK_BOT_TOKEN', 'xapp-1-A', 'holds an app-level token (xapp-…), which belongs in SLACK_APP_TOKEN'],
    ['SLACK_BOT_TOKEN', 'xoxp-1-A', 'holds a user token (xoxp-…), which Gumshoe does not use'],
    ['SLACK_BOT_TOKEN', 'hunter2', 'must start with xoxb-'],
    ['SLACK_BOT_TOKEN', 'xoxb-a b', 'must be xoxb- followed by letters, digits and hyphens'],
    ['SLACK_BOT_TOKEN', '"xoxb-1"', 'is in quotation marks: remove them'],
    ['SLACK_APP_TOKEN', 'xoxb-1', 'holds a bot token (xoxb-…), which belongs in SLACK_BOT_TOKEN'],
    ['SLACK_SIGNING_SECRET', 'xoxb-1', 'holds a bot token (xoxb-…), which belongs in SLACK_BOT_TOKEN'],
    ['SLACK_API_URL', 'slack.com/api', 'must be a URL starting with http:// or https://'],
    ['ISSUE_SERVICE_URL', 'ftp://x/', 'must be a URL starting with http:// or https://'],
    ['ISSUE_SERVICE_URL', 'https://u:p@x/', 'must not hold a user or a password'],
    ['ISSUE_SERVICE_URL', 'https://x/?key=1', 'must not hold a query or a fragment'],
    ['ISSUE_SERVICE_API_KEY', 'two words', 'must not contain spaces or non-ASCII characters'],
    ['DATABASE_URL', 'postgres://u:p@h', 'must name a database: postgres://user:password@host/database'],
    [
      'DATABASE_URL',
      'postgres://u:p#q@h/db',
      'is not a URL: write postgres://user:password@host/database, with %-codes for special characters',
    ],
    ['DATABASE_DIRECT_URL', 'sqlite:./x.db', 'must start with postgres://'],
    ['DATABASE_URL', 'sqlite::memory:', 'must name a file: an in-memory database is lost on restart'],
    ['DATABASE_URL', './data/x.db', 'must start with sqlite: or postgres://'],
    ['DATABASE_URL', 'sqlite:./data/', 'must be sqlite: followed by a file path'],
    ['DATABASE_URL', 'sqlite://host/x.db', 'must be sqlite: followed by a file path'],
    ['PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['PORT', '1e3', 'must be a whole number from 0 to 65535'],
    ['METRICS_PORT', '3000', 'must differ from PORT'],
    ['HOST', '0.0.0.0:80', 'must be a host name or IP address without a port'],
    ['POLL_CRON', 'every minute', 'must be a cron expression (seconds first)'],
    ['ALERT_CHANNELS', '#alerts', 'must be a comma-separated list of channel ids (not names)'],
    ['ADMIN_USERS', 'C0123ABCD', 'must be a comma-separated list of user ids (not names)'],
    ['SETTINGS_BY', 'everyone', 'must be one of members, admins'],
    ['ALLOW_GUESTS', 'maybe', 'must be true or false'],
    ['ALLOW_EXTERNAL', 'on', 'must be true or false'],
    ['MAX_ISSUES_PER_DAY', '0', 'must be a whole number from 1 to 1000000'],
    ['ASK_TIMEOUT_SECONDS', '-1', 'must be a whole number from 1 to 3600'],
    ['RETENTION_DAYS', '1.5', 'must be a whole number from 1 to 3650'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['NODE_ENV', 'prod', 'must be one of development, test, production'],
    ['MCP_TOKENS', 'a:one,b:one', 'gives one token to two names'],
    ['MCP_TOKENS', 'a:one,a:two', 'holds two keys of one name'],
    ['MCP_TOKENS', 'Slackbot:one', 'names a key slackbot, as which Slack’s own requests are counted'],
    [
      'RUNBOOKS',
      'https://git.example/acme/runbooks',
      'is not the address of a repository in a configured GitHub or GitLab: set GITHUB_API_URL or GITLAB_URL, or name a folder',
    ],
    [
      'RUNBOOK_HOSTS',
      'https://wiki.example',
      'must be hosts such as wiki.example.com or wiki.example.com:8443, separated by commas',
    ],
    ['HTTPS_PROXY', 'proxy:3128', 'must be a URL starting with http:// or https://'],
    ['NODE_EXTRA_CA_CERTS', '/no/such.pem', 'names a file that does not exist'],
  ])('%s=%s is one line with an example', (name, value, wrong) => {
    const [problem, ...others] = problemsOf({ ...real, [name]: value });
    expect(problem).toMatch(new RegExp(`; for example ${name}=\\S`));
    expect(problem?.split('; for example')[0]).toBe(`${name} ${wrong}`);
    expect(others).toEqual([]);
  });

  it('is told together with every other', () => {
    const problems = problemsOf({
      PORT: 'x',
      METRICS_PORT: 'y',
      SLACK_BOT_TOKEN: 'xoxb-1',
      LOG_LEVEL: 'loud',
    });
    expect(problems.map((line) => line.split(' ')[0])).toEqual([
      'SLACK_APP_TOKEN',
      'ISSUE_SERVICE_URL',
      'PORT',
      'METRICS_PORT',
      'LOG_LEVEL',
    ]);
  });

  it('is never shown, since it may be a secret put in the wrong place', () => {
    const names = Object.keys({
      ...real,
      PORT: '',
      HOST: '',
      LOG_LEVEL: '',
      DATABASE_URL: '',
      ALERT_CHANNELS: '',
      HTTPS_PROXY: '',
    });
    const everywhere = Object.fromEntries(names.map((name) => [name, 'xoxb-s3cr3t s3cr3t']));
    const problems = problemsOf(everywhere);
    expect(problems.length).toBeGreaterThan(7);
    expect(problems.join('\n')).not.toContain('s3cr3t');
  });

  it('of any kind ends in one line each, and never in an exception', () => {
    const names = variablesOf(botVariables).map(({ name, source = '' }) => name.replace('<SOURCE>', source));
    const text = fc.oneof(fc.string({ unit: anyCodePoint }), fc.stringMatching(/^[\d*,/ -]+$/), fc.webUrl());
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), text), (env) => {
        for (const line of problemsOf(env))
          expect(line).toMatch(/^[A-Z_]+ [^\n]+; for example [A-Z_]+=\S[^\n]*$/);
      }),
    );
  });
});

describe('OTEL_EXPORTER_OTLP_HEADERS', () => {
  const headersOf = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318', OTEL_EXPORTER_OTLP_HEADERS });

  it('is read as OpenTelemetry writes it', () => {
    expect(headersOf('authorization=Bearer%20a-token, X-Tenant = shop,empty=')).toMatchObject({
      config: { tracing: { headers: { authorization: 'Bearer a-token', 'X-Tenant': 'shop', empty: '' } } },
    });
  });

  it.each([
    ['a-token', 'must be name=value, or several of them separated by commas'],
    ['a=1,,b=2', 'must be name=value, or several of them separated by commas'],
    ['a b=1', 'must be name=value, or several of them separated by commas'],
    ['a=%zz', 'has a value that is not percent-encoded'],
  ])('is refused as %s', (text, problem) => {
    expect(headersOf(text)).toMatchObject({
      problems: [expect.stringContaining(`OTEL_EXPORTER_OTLP_HEADERS ${problem};`)],
    });
  });
});

it('every example and default is accepted', () => {
  const all = variablesOf(botVariables).filter(({ name }) => name !== 'NODE_EXTRA_CA_CERTS');
  const examples = Object.fromEntries(
    all.map(({ name, source = '', example }) => [name.replace('<SOURCE>', source), example]),
  );
  const withoutToken = { ...examples, ALERTMANAGER_TOKEN: '' };
  expect(problemsOf(withoutToken)).toEqual([]);
  const defaults = Object.fromEntries(all.map((one) => [one.name, one.default ?? '']));
  expect(configOf({ ...defaults, SLACK_API_URL: '' })).toEqual(configOf({}));
});

describe('the secrets of a configuration', () => {
  it('are what every variable holds that is said to be secret', () => {
    const all = variablesOf(botVariables).filter(({ name }) => name !== 'NODE_EXTRA_CA_CERTS');
    const env = Object.fromEntries(
      all.map(({ name, source = '', example }) => [name.replace('<SOURCE>', source), example]),
    );
    const { secrets } = configOf({ ...env, ALERTMANAGER_TOKEN: '' });
    for (const { name, source = '', secret } of all) {
      const value = env[name.replace('<SOURCE>', source)] ?? '';
      // Of an address, the password is.
      if (secret !== true || name === 'ALERTMANAGER_TOKEN' || URL.canParse(value)) continue;
      expect(
        secrets.some((one) => value.includes(one)),
        name,
      ).toBe(true);
    }
  });

  it('are the parts of a list, what follows a name or a scheme, and passwords as they are and decoded', () => {
    const { secrets } = configOf({
      MCP_TOKENS: 'reader:first-token,writer:second-token:write',
      ALERT_WEBHOOK_SECRET_GRAFANA: 'old-key,new-key',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a-token',
      DATABASE_URL: 'postgres://gumshoe:s%26cret@db.example.com/gumshoe',
    });
    expect(secrets).toEqual(
      expect.arrayContaining([
        'first-token',
        'second-token',
        'old-key',
        'new-key',
        'a-token',
        's%26cret',
        's&cret',
      ]),
    );
  });
});
