import { testWorkspace } from 'local-slack/testing';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createSlackClient } from '../../../src/bot/slack/client.ts';
import { checkBlocks } from '../../../src/tools/checks/blocks.ts';
import { galleryPayloads } from '../../../src/tools/gallery/windows.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { type ScriptedAnswer, scriptedSlack } from '../../support/scripted-slack.ts';

const MESSAGE = { renderer: 'issues/card', name: 'small', message: { text: 'x', blocks: [] } };
const VIEW = { renderer: 'home/home', name: 'empty', view: { type: 'home', blocks: [] } };

/** Checks `MESSAGE` and `VIEW` at a Slack that gives these answers in turn. */
async function checked(answers: ScriptedAnswer[]) {
  const slept: number[] = [];
  const asked: string[] = [];
  await using slack = await scriptedSlack({
    'blocks.validate': (args) => {
      asked.push(...args.keys());
      return answers.shift() ?? { body: { ok: true } };
    },
  });
  const client = createSlackClient({ token: 'xoxb-1', apiUrl: slack.url, log: createLogger('silent') });
  const sleep = async (ms: number) => void slept.push(ms);
  return { results: await checkBlocks(client, [MESSAGE, VIEW], { sleep }), slept, asked };
}

const refusal = (error: string, more: object = {}) => ({ body: { ok: false, error, ...more } });

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
    expect(await checked([])).toEqual({
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
    const { results, asked } = await checked([refusal('invalid_message', { errors })]);
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
    const limited = {
      body: { ok: false, error: 'ratelimited' },
      status: 429,
      headers: { 'retry-after': '7' },
    };
    expect(await checked([limited])).toMatchObject({
      results: [{ ok: true }],
      slept: [7_000, 1_250],
      asked: ['message', 'message', 'view'],
    });
  });

  it('says so where Slack does not know the method, and stops', async () => {
    expect(await checked([refusal('unknown_method')])).toMatchObject({
      results: [{ ok: false, detail: 'this Slack does not know blocks.validate, so nothing was checked' }],
      asked: ['message'],
    });
  });

  it('stops at a token that is refused, and says how far it came', async () => {
    const { results } = await checked([{ body: { ok: true } }, refusal('invalid_auth')]);
    expect(results).toMatchObject([
      { ok: false, detail: 'Slack answered invalid_auth; 1 of 2 were checked', fix: expect.any(String) },
    ]);
  });
});
