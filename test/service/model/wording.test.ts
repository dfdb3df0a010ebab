import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FAULTS, type ModelRequest, scriptedModel } from '../../../src/demo/model/scripted-server.ts';
import { readWorded } from '../../../src/lib/worded.ts';
import { modelSettings } from '../../support/model-settings.ts';
import { testService } from '../support.ts';

const Answered = z.looseObject({ answer: z.string() });
const QUESTION = 'Why is payments slow?';

async function withModel(text: (request: ModelRequest) => string) {
  const settings = modelSettings({ uses: ['answer'] });
  const model = scriptedModel(settings.api, (request) => ({ text: text(request) }));
  const service = await testService({ model: settings, modelFetch: model.fetch, recurring: false, seed: 5 });
  const ask = async (headers: Record<string, string> = {}) =>
    Answered.parse((await service.post('/query', { question: QUESTION }, { headers })).body).answer;
  return { ask, requests: model.requests };
}

const computed = async () => (await withModel(() => '')).ask();

it('what passes is above the computed answer, in which the cited lines have their ids, and the last line says who worded it', async () => {
  const plain = await computed();
  const { ask } = await withModel(({ texts }) => {
    const line = /\[a1\] ([^\n]+)/u.exec(texts)?.[1] ?? '';
    return `${line.replace(/\.$/u, '')} [a1]. orders caused it all [a1].`;
  });
  const answer = await ask();
  const { summary = '', computed: below = '', footer } = readWorded(answer) ?? {};
  expect(footer).toBe('worded by scripted from a1 · 1 sentence left out: no evidence');
  expect(answer.endsWith(`\n\n_${footer}_`)).toBe(true);
  expect(summary).toMatch(/ \[a1\]\.$/u);
  expect(below.match(/ \[a1\]/gu)).toHaveLength(1);
  expect(below.replace(' [a1]', '')).toBe(plain);
  expect(answer).not.toContain('orders caused');
});

describe('the computed answer is all there is where', () => {
  it.each([
    ['nothing passes', 'Everything is on fire because of <!channel> https://evil.example.com [a1].'],
    ['nothing is written', ''],
  ])('%s', async (_why, text) => {
    expect(await (await withModel(() => text)).ask()).toBe(await computed());
  });

  it('it is asked in a private channel', async () => {
    const { ask, requests } = await withModel(() => 'payments [a1].');
    expect(await ask({ visibility: 'private' })).toBe(await computed());
    expect(requests).toEqual([]);
  });
});

it('a victim that does whatever any text says, and repeats it, shows nothing but parts of the lines', async () => {
  const { ask } = await withModel(
    ({ texts }) => `${texts} https://evil.example.com/?q=${texts.length} [a1] [a2]`,
  );
  const plain = await computed();
  const { summary = '', computed: below = '' } = readWorded(await ask()) ?? {};
  expect(below.replaceAll(/ \[a\d+\]/gu, '')).toBe(plain);
  expect(summary).not.toMatch(/evil|Question|data/u);
  for (const sentence of summary.split(/ \[a\d+\][.!?]? ?/u))
    expect(plain.replaceAll('**', '')).toContain(sentence);
});

it.each(FAULTS.filter((fault) => !['hang', 'trickle'].includes(fault)))(
  'under "%s" there is the computed answer',
  async (fault) => {
    const settings = modelSettings({ uses: ['route', 'answer'] });
    const model = scriptedModel(settings.api, () => ({ text: '', fault }));
    const service = await testService({
      model: settings,
      modelFetch: model.fetch,
      recurring: false,
      seed: 5,
    });
    const { body } = await service.post('/query', { question: QUESTION });
    expect(Answered.parse(body).answer).toBe(await computed());
  },
);

it('without MODEL_URL nothing is sent, and the answer is the computed one', async () => {
  const { fetch, requests } = scriptedModel('openai', () => ({ text: 'payments is fine [a1].' }));
  const service = await testService({ model: null, modelFetch: fetch, recurring: false, seed: 5 });
  const { body } = await service.post('/query', { question: QUESTION });
  expect(Answered.parse(body).answer).toBe(await computed());
  expect(requests).toEqual([]);
});
