import { expect, it } from 'vitest';
import { z } from 'zod';
import type { QueryThread } from '../../../src/contract/schema.ts';
import type { ModelSettings } from '../../../src/service/model/settings.ts';
import { modelSettings } from '../../support/model-settings.ts';
import { type ModelRequest, type ScriptedTurn, scriptedModel } from '../../support/scripted-model.ts';
import { testService } from '../support.ts';

const Answered = z.looseObject({ answer: z.string() });

async function withModel(
  script: (request: ModelRequest) => ScriptedTurn,
  changes: Partial<ModelSettings> = {},
) {
  const settings = modelSettings({ uses: ['route'], ...changes });
  const model = scriptedModel(settings.api, script);
  const service = await testService({ model: settings, modelFetch: model.fetch, recurring: false, seed: 5 });
  const ask = async (
    question: string,
    headers: Record<string, string> = {},
    thread?: z.input<typeof QueryThread>,
  ) => {
    const body = { question, ...(thread && { thread }) };
    return Answered.parse((await service.post('/query', body, { headers })).body).answer;
  };
  return { ...service, ask, requests: model.requests };
}

const LOGS = { name: 'logs', args: { services: ['Payments'], minutes: 30 } };

it('a question that the rules do not understand is answered by the tool that the model chooses', async () => {
  const { ask, requests } = await withModel(() => ({ calls: [LOGS] }));
  expect(await ask('Zeig mir, was payments so schreibt')).toMatch(
    /^(?:\*\*payments logs\*\*|I have no log lines of payments) in the (?:past )?30 min/u,
  );
  expect(requests).toHaveLength(1);
  expect(requests[0]?.tools).not.toContain('file');
  // Below 4,000 tokens, at three bytes each.
  expect(requests[0]?.body.length).toBeLessThan(12_000);
});

it.each([
  ['it names a service that telemetry does not know', { name: 'logs', args: { services: ['ledger'] } }],
  ['it names a tool that there is none of', { name: 'file_issue', args: { title: 'x' } }],
  ['it names an issue that it was not shown', { name: 'health', args: { issue: 99 } }],
  ['its arguments are none', { name: 'logs', args: { services: ['payments'], newest: 10_000 } }],
])('where %s, the rules answer', async (_why, call) => {
  const question = 'What changed in payments in the last hour?';
  const { ask } = await withModel(() => ({ calls: [call] }));
  const { ask: without } = await withModel(() => ({ fault: 'html' }));
  expect(await ask(question)).toBe(await without(question));
});

it('a command, and a call for help, is not shown to the model', async () => {
  const { ask, requests } = await withModel(() => ({ calls: [LOGS] }));
  for (const question of ['help', 'Restart payments!']) await ask(question);
  expect(requests).toEqual([]);
});

it('neither a private channel’s question nor its issue is shown to the model', async () => {
  const { ask, create, requests } = await withModel(() => ({ calls: [LOGS] }));
  await create({ title: 'The merger of Initech fails' }, { headers: { visibility: 'private' } });
  await create({ title: 'Checkout is slow' });
  await ask('Was ist mit payments los', { visibility: 'private' });
  expect(requests).toEqual([]);
  await ask('Is it over?\n\nThe question:\nWas ist mit #1 los');
  expect(requests).toEqual([]);
  await ask('Was ist mit payments los');
  expect(requests[0]?.texts).toContain('#2 Checkout is slow');
  expect(requests[0]?.texts).not.toContain('Initech');
});

it('with MODEL_PRIVATE it is, where its channel has agreed to this very host', async () => {
  const { ask, create, requests } = await withModel(() => ({ calls: [LOGS] }), { private: true });
  const agreed = (host: string) => ({ visibility: 'private', 'agreed-model': host });
  await create({ title: 'The merger of Initech fails' }, { headers: { visibility: 'private' } });
  await create({ title: 'Refunds fail' }, { headers: agreed('model.of-before.example.com') });
  await create({ title: 'Checkout is slow' }, { headers: agreed('model.example.com') });
  await ask('Was ist mit payments los', { visibility: 'private' });
  await ask('Was ist mit payments los', agreed('model.of-before.example.com'));
  expect(requests).toEqual([]);
  await ask('Was ist mit payments los', agreed('model.example.com'));
  expect(requests[0]?.texts).toContain('#3 Checkout is slow');
  expect(requests[0]?.texts).not.toMatch(/Initech|Refunds/u);
});

it('a conversation that began in a private channel stays private, wherever it goes on', async () => {
  const { post, requests } = await withModel(() => ({ calls: [LOGS] }));
  const begun = await post(
    '/query',
    { question: 'Was ist mit dem Initech-Kauf los' },
    { headers: { visibility: 'private' } },
  );
  const { conversation_id } = z.looseObject({ conversation_id: z.string() }).parse(begun.body);
  await post('/query', { question: 'Und payments', conversation_id });
  expect(requests).toEqual([]);
});

const EVIL = '[log in](https://evil.example/)';

it.each([
  ['a text that nobody asked for', { name: 'logs', args: { services: ['payments'], text: EVIL } }],
  ['a metric that nobody asked for', { name: 'metric', args: { services: ['payments'], metrics: [EVIL] } }],
  ['a rule that nobody asked for', { name: 'rules', args: { rule: EVIL } }],
])('what it makes up reaches nobody: %s', async (_what, call) => {
  const { ask } = await withModel(() => ({ text: EVIL, calls: [call] }));
  expect(await ask('Is payments failing?')).not.toMatch(/evil|log in/u);
});

it('a text of the question is looked for, and said back as code without addresses', async () => {
  const text = 'see https://evil.example/ now';
  const { ask } = await withModel(() => ({
    calls: [{ name: 'logs', args: { services: ['payments'], text } }],
  }));
  const answer = await ask(`Steht da ${text} bei payments`);
  expect(answer).toMatch(/`see … now`|no log lines/u);
  expect(answer).not.toContain('evil.example');
});

it.each(['Is payments failing?', 'Is payments ok?'])(
  'no yes and no no where the model chose what is looked up: %s',
  async (question) => {
    for (const call of [
      { name: 'logs', args: { services: ['payments'], text: 'payments' } },
      { name: 'issues', args: { show: 'earlier', services: ['payments'] } },
      { name: 'changes', args: { services: ['payments'], expects: 'over' } },
    ]) {
      const { ask } = await withModel(() => ({ calls: [call] }));
      expect(await ask(question)).not.toMatch(/^\W*(?:yes|no)\b[.,:]/iu);
    }
  },
);

it('what was written in the thread is not shown, unless MODEL_SHARE_TALK says so', async () => {
  const question = 'Was ist los';
  const said = { question, said: [{ speaker: 'ann', text: 'it is the new certificate' }] };
  const { ask, requests } = await withModel(() => ({ calls: [LOGS] }));
  await ask(question, {}, said);
  expect(requests[0]?.texts).not.toContain('certificate');
  const { ask: sharing, requests: shared } = await withModel(() => ({ calls: [LOGS] }), { shareTalk: true });
  await sharing(question, {}, said);
  expect(shared[0]?.texts).toContain('certificate');
});
