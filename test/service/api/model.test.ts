import { expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../src/contract/client/client.ts';
import { instantClock } from '../../support/manual-clock.ts';
import { modelSettings } from '../../support/model-settings.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { START, testService } from '../support.ts';

/** Of what is beyond the contract, `openapi.json` says nothing. */
function clientOf(service: Awaited<ReturnType<typeof testService>>) {
  const { url } = service.service();
  const of = { apiKey: 'acme-key', version: '2026-03-17', clock: instantClock(START) };
  const client = createServiceClient({ url, ...of });
  onTestFinished(() => client.close());
  return client;
}

it('the service says which model it uses, whether it may see what is private, and its tokens of today', async () => {
  const { fetch } = scriptedModel('openai', () => ({ text: '', usage: { input: 1_200, output: 20 } }));
  const service = await testService({ model: modelSettings({ uses: ['route'] }), modelFetch: fetch });
  const client = clientOf(service);
  const model = {
    ...{ name: 'scripted', host: 'model.example.com', private: false, ceiling: 1_000_000 },
    uses: ['route'],
  };
  expect(await client.languageModel()).toEqual({ ...model, tokens: 0 });
  await service.post('/query', { question: 'Was ist mit payments los' });
  expect(await client.languageModel()).toEqual({ ...model, tokens: 1_220 });
});

it('without a model it says that there is none, and to strangers nothing', async () => {
  const service = await testService();
  expect(await clientOf(service).languageModel()).toBeNull();
  expect((await service.get('/model', { key: 'a-wrong-key' })).status).toBe(401);
});

const TEMPLATE = {
  template: ['server * is gone'],
  slots: [{ label: null, values: ['web-1'] }],
  examples: ['Server web-1 is gone'],
  others: ['Server web-1 is back'],
};
const DESCRIBED = {
  calls: [{ name: 'describe', args: { is: 'trouble', pairs_with: 'm1', s1: 'name', s2: 'a virus' } }],
};

it('a model that is used for alerts is asked what a template reports, and what is unknown of its answer is nothing', async () => {
  const { fetch, requests } = scriptedModel('openai', () => DESCRIBED);
  const service = await testService({ model: modelSettings({ uses: ['alerts'] }), modelFetch: fetch });
  const client = clientOf(service);
  expect(await client.readTemplate(TEMPLATE, {})).toEqual({
    asked: true,
    proposal: { is: 'trouble', pairsWith: 0, roles: ['name'] },
  });
  expect(await client.readTemplate(TEMPLATE, { isPrivate: true })).toEqual({ asked: false, proposal: null });
  expect(requests).toHaveLength(1);
  expect((await service.post('/model/alerts', { template: 'x' })).status).toBe(400);
  expect((await service.post('/model/alerts', TEMPLATE, { key: 'a-wrong-key' })).status).toBe(401);
});

it.each([
  ['is used for other things', modelSettings({ uses: ['route'] })],
  ['has used up the tokens of the day', modelSettings({ uses: ['alerts'], dayTokens: 0 })],
  ['is not there', null],
])('a model that %s is not asked what a template reports', async (_why, model) => {
  const { fetch, requests } = scriptedModel('openai', () => DESCRIBED);
  const service = await testService({ model, modelFetch: fetch });
  expect(await clientOf(service).readTemplate(TEMPLATE, {})).toEqual({ asked: false, proposal: null });
  expect(requests).toEqual([]);
});

it('says what it sees of each service', async () => {
  const service = await testService();
  const answer = await clientOf(service).systems();
  expect(answer?.services.find(({ name }) => name === 'cart')).toEqual({
    ...{ name: 'cart', missing: [], unread: [], readFrom: [] },
    seen: ['requests', 'errors', 'latency', 'calls', 'saturation (CPU, memory)'],
  });
});
