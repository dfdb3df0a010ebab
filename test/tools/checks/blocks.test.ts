import { testWorkspace } from 'local-slack/testing';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createSlackClient } from '../../../src/bot/slack/client.ts';
import { checkBlocks } from '../../../src/tools/checks/blocks.ts';
import { galleryPayloads } from '../../../src/tools/gallery/windows.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { type Answer, type Fault, testSlack } from '../../support/slack.ts';

const MESSAGE = { renderer: 'issues/card', name: 'small', message: { text: 'x', blocks: [] } };
const VIEW = { renderer: 'home/home', name: 'empty', view: { type: 'home', blocks: [] } };

/** Checks `MESSAGE` and `VIEW` at a Slack that answers so, by default that all is valid. */
async function checked({ faults = [], answer = {} }: { faults?: Fault[]; answer?: Answer } = {}) {
  const slept: number[] = [];
  const slack = testSlack(manualClock());
  slack.answers('blocks.validate', answer);
  slack.next('blocks.validate', ...faults);
  const sleep = async (ms: number) => void slept.push(ms);
  const results = await checkBlocks(slack.client, [MESSAGE, VIEW], { sleep });
  return { results, slept, asked: slack.calls.flatMap(({ args }) => Object.keys(args)) };
}

describe('npm run doctor -- --blocks', () => {
  it('finds every message and view of the gallery valid by the rules of the local workspace', async () => {
    // The workspace limits calls by this clock, which only the pauses move.
    const clock = manualClock();
    const { apiUrl, botToken } = await testWorkspace({ clock });
    const client = createSlackClient({ token: botToken, apiUrl, log: createLogger('silent') });
    const payloads = await galleryPayloads();
    const sleep = async (ms: number) => clock.advance(ms);
    expect(await checkBlocks(client, payloads, { sleep })).toMatchObject([
      { ok: true, detail: `all ${payloads.length} messages and views are valid` },
    ]);
    expect(new Set(payloads.map(({ renderer }) => renderer)).size).toBeGreaterThan(10);
  });

  it('sends one payload at a time, with a pause between two', async () => {
    expect(await checked()).toEqual({
      results: [{ name: 'Slack blocks', ok: true, detail: 'all 2 messages and views are valid', fix: null }],
      slept: [1_250],
      asked: ['message', 'view'],
    });
  });

  it('names the renderer of what is refused, and goes on with the others', async () => {
    const errors = [
      { pointer: '/blocks/3/type', message: 'unsupported type: card', constraint: { expected: ['section'] } },
      { pointer: '/blocks/4/text', message: 'must be less than 3001 characters' },
    ];
    const { results, asked } = await checked({ faults: [{ error: 'invalid_message', errors }] });
    expect(results).toEqual([
      {
        name: 'Slack blocks',
        ok: false,
        detail:
          'Slack rejects issues/card (small): unsupported type: card at /blocks/3/type (expected section); ' +
          'must be less than 3001 characters at /blocks/4/text',
        fix: 'correct src/bot/render/issues/card.ts',
      },
    ]);
    expect(asked).toEqual(['message', 'view']);
  });

  it('waits as long as Slack says, and asks again', async () => {
    expect(await checked({ faults: [{ status: 429, retryAfter: 7 }] })).toMatchObject({
      results: [{ ok: true }],
      slept: [7_000, 1_250],
      asked: ['message', 'message', 'view'],
    });
  });

  it('says so where Slack does not know the method, and stops', async () => {
    expect(await checked({ faults: [{ error: 'unknown_method' }] })).toMatchObject({
      results: [{ ok: false, detail: 'this Slack does not know blocks.validate, so nothing was checked' }],
      asked: ['message'],
    });
  });

  it('stops at a token that is refused, and says how far it came', async () => {
    const { results } = await checked({
      answer: ({ view }) => (view === undefined ? {} : { ok: false, error: 'invalid_auth' }),
    });
    expect(results).toMatchObject([
      { ok: false, detail: 'Slack answered invalid_auth; 1 of 2 were checked', fix: expect.any(String) },
    ]);
  });
});
