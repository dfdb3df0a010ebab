import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { identify } from '../../../src/bot/slack/identify.ts';
import { OperatorError } from '../../../src/lib/io.ts';
import { instantClock } from '../../support/manual-clock.ts';
import { type Fault, testSlack } from '../../support/slack.ts';

const known = { user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T0ACME', url: 'https://acme.slack.com/' };

function asking(...faults: Fault[]) {
  const clock = instantClock();
  const slack = testSlack(clock);
  slack.answers('auth.test', known);
  slack.next('auth.test', ...faults);
  const ask = (signal = new AbortController().signal) =>
    identify(slack.client, { clock, random: () => 1, log: createLogger('silent'), signal });
  return { slack, clock, ask };
}

describe('who the bot is', () => {
  it('is asked once where Slack answers', async () => {
    const { ask, slack } = asking();
    expect(await ask()).toEqual({
      botUserId: 'U0BOT',
      botId: 'B0BOT',
      teamId: 'T0ACME',
      workspaceUrl: 'https://acme.slack.com/',
    });
    expect(slack.methods()).toEqual(['auth.test']);
  });

  it('is asked again, ever more rarely, while Slack cannot be reached', async () => {
    const { ask, clock } = asking(
      'unreachable',
      { status: 503 },
      'lost_answer',
      { error: 'internal_error' },
      ...Array<Fault>(4).fill('unreachable'),
    );
    expect(await ask()).toMatchObject({ botUserId: 'U0BOT' });
    expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('is asked again after as long as Slack says', async () => {
    const { ask, clock } = asking({ status: 429, retryAfter: 17 });
    await ask();
    expect(clock.slept).toEqual([17_000]);
  });

  it('is not asked any more when the process is to stop', async () => {
    const { ask, slack } = asking('unreachable');
    await expect(ask(AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping');
    expect(slack.calls).toEqual([]);
  });
});

describe('a token that is no good', () => {
  it.each([
    'invalid_auth',
    'not_authed',
    'account_inactive',
    'token_revoked',
    'token_expired',
    'not_allowed_token_type',
  ])('(%s) ends the start with a sentence for the operator, at the first answer', async (error) => {
    const { ask, slack } = asking({ error });
    const failure = await ask().catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(OperatorError);
    expect(failure).toMatchObject({
      message:
        `Slack rejected SLACK_BOT_TOKEN (${error}). Open your app at https://api.slack.com/apps, check that it is ` +
        'installed in the workspace, copy the token again, and restart.',
    });
    expect(slack.methods()).toEqual(['auth.test']);
  });

  it('because it is a person’s says which token to take', async () => {
    const { ask, slack } = asking();
    slack.answers('auth.test', { user_id: 'U0ALICE', team_id: 'T0ACME', url: 'https://acme.slack.com/' });
    const failure = await ask().catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(OperatorError);
    expect(failure).toMatchObject({
      message:
        'SLACK_BOT_TOKEN is not a bot token. Copy the Bot User OAuth Token (xoxb-…) from OAuth & Permissions.',
    });
  });
});
