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
  const model = { name: 'scripted', host: 'model.example.com', private: false, ceiling: 1_000_000 };
  expect(await client.languageModel()).toEqual({ ...model, tokens: 0 });
  await service.post('/query', { question: 'Was ist mit payments los' });
  expect(await client.languageModel()).toEqual({ ...model, tokens: 1_220 });
});

it('without a model it says that there is none, and to strangers nothing', async () => {
  const service = await testService();
  expect(await clientOf(service).languageModel()).toBeNull();
  expect((await service.get('/model', { key: 'a-wrong-key' })).status).toBe(401);
});

it('says what it sees of each service', async () => {
  const service = await testService();
  const answer = await clientOf(service).systems();
  expect(answer?.services.find(({ name }) => name === 'cart')).toEqual({
    ...{ name: 'cart', missing: [], unread: [] },
    seen: ['requests', 'errors', 'latency', 'calls', 'saturation (CPU, memory)'],
  });
});
