import { expect, it } from 'vitest';
import { checkModel } from '../../src/tools/checks/model.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const ENV = { MODEL_URL: 'http://model.example.com', MODEL_NAME: 'tiny' };
const READY = { name: 'ready', args: { ready: true } };

it('without a model there is nothing to check', async () => {
  expect(await checkModel({})).toEqual([]);
});

it('a model that streams and calls a tool is well, and what that took is said', async () => {
  const { fetch, requests } = scriptedModel('openai', () => ({ calls: [READY] }));
  const [result] = await checkModel(ENV, fetch);
  expect(result).toMatchObject({
    ok: true,
    detail:
      'tiny at model.example.com streams and calls tools; it is used for route, changes; this check took 120 tokens',
  });
  expect(requests[0]?.url).toBe('http://model.example.com/v1/chat/completions');
});

it.each([
  ['it calls no tool', { text: 'Yes!' }, /calls no tool/u, /supports tool calls/u],
  ['its server answers with a page', { fault: 'html' as const }, /could not be read/u, /MODEL_URL/u],
])('where %s, what to do is said', async (_why, turn, detail, fix) => {
  const [result] = await checkModel(ENV, scriptedModel('openai', () => turn).fetch);
  expect(result).toMatchObject({
    ok: false,
    detail: expect.stringMatching(detail),
    fix: expect.stringMatching(fix),
  });
});

it('a key that is refused is named by its variable', async () => {
  const refuse: typeof fetch = async () => new Response('no such key: sk-abc', { status: 401 });
  const [result] = await checkModel({ ...ENV, MODEL_KEY: 'sk-abc' }, refuse);
  expect(result).toMatchObject({ ok: false, fix: 'check MODEL_KEY' });
  expect(JSON.stringify(result)).not.toContain('sk-abc');
});

it('a name without an address, and an address without a name, are mistakes', async () => {
  expect(await checkModel({ MODEL_NAME: 'tiny' })).toMatchObject([
    { ok: false, detail: expect.stringContaining('MODEL_URL is missing') },
  ]);
  expect(await checkModel({ MODEL_URL: ENV.MODEL_URL })).toMatchObject([
    { ok: false, detail: expect.stringContaining('MODEL_NAME is missing') },
  ]);
});
