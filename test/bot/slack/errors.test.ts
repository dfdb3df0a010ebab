import { describe, expect, it } from 'vitest';
import { classifySlackError, terminalSlackError } from '../../../src/bot/slack/errors.ts';
import { instantClock } from '../../support/manual-clock.ts';
import { type Fault, testSlack } from '../../support/slack.ts';

/** What the real client throws when Slack behaves so. */
async function thrown(fault: Fault): Promise<unknown> {
  const slack = testSlack(instantClock());
  slack.next('reactions.add', fault);
  try {
    await slack.client.reactions.add({ channel: 'C1', timestamp: '1.0', name: 'eyes' });
  } catch (error) {
    return error;
  }
  throw new Error('the call did not fail');
}

describe('a failed call', () => {
  it.each<[string, Fault, object]>([
    ['that Slack refuses by name', { error: 'is_archived' }, { kind: 'refused', error: 'is_archived' }],
    [
      'with an error that passes',
      { error: 'internal_error' },
      { kind: 'ambiguous', error: 'internal_error' },
    ],
    [
      'that takes Slack too long',
      { error: 'request_timeout' },
      { kind: 'ambiguous', error: 'request_timeout' },
    ],
    ['answered with 500', { status: 500 }, { kind: 'ambiguous', error: 'HTTP 500' }],
    ['answered with 404', { status: 404 }, { kind: 'ambiguous', error: 'HTTP 404' }],
    ['answered with 429', { status: 429, retryAfter: 7 }, { kind: 'rate_limited', retryAfterMs: 7_000 }],
    [
      'that is to be repeated at once',
      { status: 429, retryAfter: 0 },
      { kind: 'rate_limited', retryAfterMs: 1_000 },
    ],
    ['answered with 429 alone', { status: 429 }, { kind: 'rate_limited', retryAfterMs: 5_000 }],
    [
      'answered with the page of a gateway',
      { error: '<html><h1>Sign in</h1></html>' },
      { kind: 'ambiguous', error: 'no JSON: <html><h1>Sign in</h1></html>' },
    ],
    [
      'whose answer was cut off',
      { error: '{"ok":true,"ts":"17' },
      { kind: 'ambiguous', error: 'no JSON: {"ok":true,"ts":"17' },
    ],
    ['answered without a word', { error: '' }, { kind: 'ambiguous', error: 'no JSON: ' }],
    ['whose answer is lost', 'lost_answer', { kind: 'ambiguous' }],
    ['that never left', 'unreachable', { kind: 'unreachable' }],
  ])('%s is told apart', async (_what, fault, failure) => {
    expect(classifySlackError(await thrown(fault))).toMatchObject(failure);
  });

  it('that is no error of the client is in doubt', () => {
    expect(classifySlackError(new Error('disk full'))).toEqual({ kind: 'ambiguous', error: 'disk full' });
    expect(classifySlackError('odd')).toEqual({ kind: 'ambiguous', error: 'odd' });
    expect(classifySlackError(undefined)).toEqual({ kind: 'ambiguous', error: 'undefined' });
  });

  it('keeps no more than 200 characters of a reason', async () => {
    const failure = classifySlackError(await thrown('unreachable'));
    expect('error' in failure ? failure.error.length : 0).toBeLessThan(201);
  });
});

describe('the end of a token', () => {
  it('is a sentence that names the variable and says what to do', async () => {
    expect(terminalSlackError(await thrown({ error: 'token_revoked' }), 'SLACK_APP_TOKEN')).toBe(
      'Slack rejected SLACK_APP_TOKEN (token_revoked). Open your app at https://api.slack.com/apps, check that it is ' +
        'installed in the workspace, copy the token again, and restart.',
    );
  });

  it.each<[string, Fault]>([
    ['a refusal of one call', { error: 'channel_not_found' }],
    ['a scope that is missing', { error: 'missing_scope' }],
    ['a passing error', { error: 'internal_error' }],
    ['a 429', { status: 429, retryAfter: 1 }],
    ['a 500', { status: 500 }],
    ['a connection that is refused', 'unreachable'],
  ])('is not %s', async (_what, fault) => {
    expect(terminalSlackError(await thrown(fault), 'SLACK_BOT_TOKEN')).toBe(null);
  });
});
