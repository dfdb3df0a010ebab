import { SEED_CHANNELS } from 'local-slack';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import {
  checkService,
  checkSocketMode,
  type IssueLister,
  runStartChecks,
} from '../../../../src/bot/slack/checks.ts';
import { createSlackClient } from '../../../../src/bot/slack/client.ts';
import { CancelledError, RejectedError } from '../../../../src/contract/client/errors.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { type TestSlack, testSlack } from '../../../support/slack.ts';

const log = createLogger('silent');
const working: IssueLister = { issues: { page: async () => ({}) } };

const startChecks = (slack: TestSlack, alertChannels: string[] = [], service = working) =>
  runStartChecks({
    client: slack.client,
    services: [{ organization: 'default', service }],
    alertChannels,
  });

const wellSlack = [
  { name: 'Slack token', ok: true, detail: 'gumshoe in Local workspace', fix: null },
  { name: 'Slack scopes', ok: true, detail: 'all 15 are granted', fix: null },
];
const wellService = { name: 'Issue Investigation Service', ok: true, detail: 'it answers', fix: null };

describe('the checks at start', () => {
  let slack: TestSlack;

  beforeEach(() => {
    slack = testSlack(manualClock());
  });

  it('find nothing where all is well', async () => {
    const { alerts } = SEED_CHANNELS;
    expect(await startChecks(slack, [alerts.id])).toEqual([
      ...wellSlack,
      { name: `channel ${alerts.id}`, ok: true, detail: 'Gumshoe is a member', fix: null },
      wellService,
    ]);
  });

  it('name each scope that is missing', async () => {
    const workspace = await slack.workspace();
    workspace.grantScopes(['chat:write', 'commands', 'app_mentions:read', 'users:read']);
    const results = await startChecks(slack);
    expect(results[1]).toEqual({
      name: 'Slack scopes',
      ok: false,
      detail:
        'assistant:write, channels:history, channels:read, files:read, files:write, groups:history, groups:read, im:history, im:write, reactions:read, reactions:write are not granted',
      fix: 'paste manifest.yml at https://api.slack.com/apps → your app → App Manifest, then reinstall the app',
    });
  });

  it('say how to renew a token that Slack refuses, and ask nothing further with it', async () => {
    (await slack.workspace()).refuseToken('token_revoked');
    const results = await startChecks(slack, [SEED_CHANNELS.alerts.id]);
    expect(results).toEqual([
      {
        name: 'Slack token',
        ok: false,
        detail: 'Slack answered token_revoked',
        fix: 'Slack rejected SLACK_BOT_TOKEN (token_revoked). Open your app at https://api.slack.com/apps, check that it is installed in the workspace, copy the token again, and restart.',
      },
      wellService,
    ]);
  });

  it('say of each alert channel what is wrong with it', async () => {
    const { payments, general } = SEED_CHANNELS;
    await (await slack.workspace()).archive(general.id);
    const results = await startChecks(slack, [payments.id, general.id, 'C0NO']);
    expect(results.slice(2, 5)).toEqual([
      {
        name: `channel ${payments.id}`,
        ok: false,
        detail: 'Gumshoe is not a member',
        fix: 'run /invite @Gumshoe in the channel',
      },
      {
        name: `channel ${general.id}`,
        ok: false,
        detail: 'it is archived',
        fix: `unarchive it, or remove ${general.id} from ALERT_CHANNELS, ALERT_ROUTES and OWNERS`,
      },
      {
        name: 'channel C0NO',
        ok: false,
        detail: 'it does not exist, or it is private and Gumshoe is not a member',
        fix: 'run /invite @Gumshoe in it, or correct C0NO in ALERT_CHANNELS, ALERT_ROUTES or OWNERS',
      },
    ]);
  });

  it('say which variable to look at where the service refuses the key, or is not there', async () => {
    const refusing = (status: number): IssueLister => ({
      issues: {
        page: async () => {
          const facts = {
            operation: 'issues.page',
            ambiguous: false,
            requestId: 'req-1',
            retryAfterMs: null,
          };
          throw new RejectedError({ ...facts, status, reason: 'No.' });
        },
      },
    });
    const key = await startChecks(slack, [], refusing(401));
    expect(key[2]).toEqual({
      name: 'Issue Investigation Service',
      ok: false,
      detail: 'issues.page: the service answered HTTP 401: No. (request req-1)',
      fix: 'check ISSUE_SERVICE_API_KEY: the service rejects it',
    });
    const address = await startChecks(slack, [], refusing(404));
    expect(address[2]?.fix).toBe('check ISSUE_SERVICE_URL: it must end with /api/v2');
  });

  it('say so where Slack is not there at all', async () => {
    const client = createSlackClient({ token: 'xoxb-1', apiUrl: 'http://127.0.0.1:1/api/', log });
    const [token] = await runStartChecks({
      client,
      services: [{ organization: 'default', service: working }],
      alertChannels: [],
    });
    expect(token).toMatchObject({ ok: false, fix: 'check the network, HTTPS_PROXY and SLACK_API_URL' });
  });
});

describe('the check of the service', () => {
  const silent: IssueLister = {
    issues: {
      page: (_filter, signal) =>
        new Promise((_resolve, reject) => {
          const cancelled = new CancelledError({ operation: 'issues.page', ambiguous: false });
          signal?.addEventListener('abort', () => reject(cancelled));
        }),
    },
  };

  it('does not wait for ever', async () => {
    expect(await checkService(silent, { timeoutMs: 20 })).toEqual({
      name: 'Issue Investigation Service',
      ok: false,
      detail: 'no answer within 0.02 seconds',
      fix: 'check ISSUE_SERVICE_URL and that the service is up',
    });
  });

  it('ends at once when the process is to stop', async () => {
    const stop = new AbortController();
    const checking = checkService(silent, { signal: stop.signal });
    stop.abort();
    expect(await checking).toMatchObject({ ok: false, detail: 'issues.page: cancelled' });
  });
});

describe('the check of Socket Mode', () => {
  it('passes where Slack offers a socket', async () => {
    const slack = testSlack(manualClock());
    const { appToken, apiUrl } = await slack.workspace();
    expect(await checkSocketMode(createSlackClient({ token: appToken, apiUrl, log }))).toEqual({
      name: 'Socket Mode',
      ok: true,
      detail: 'Slack offers a connection',
      fix: null,
    });
  });

  it.each([
    [
      'missing_scope',
      'add the scope connections:write to the app-level token: Basic Information → App-Level Tokens',
    ],
    ['forbidden_team', 'turn on Socket Mode: https://api.slack.com/apps → your app → Socket Mode'],
  ])('says what to do about %s', async (error, fix) => {
    const { client, next } = testSlack(manualClock());
    next('apps.connections.open', { error });
    expect(await checkSocketMode(client)).toEqual({
      name: 'Socket Mode',
      ok: false,
      detail: `Slack answered ${error}`,
      fix,
    });
  });
});
