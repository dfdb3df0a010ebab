import { expect, it } from 'vitest';
import { LIAR, type Lie, lie, lyingModel } from '../../../src/demo/model/liar.ts';
import { testService } from '../../service/support.ts';

it('it calls what it was not offered, and proves with an invented line', () => {
  expect(lie({ texts: '', tools: ['health'] }).calls.map(({ name }) => name)).toEqual([
    'resolve_issue',
    'logs',
    'logs',
  ]);
  const texts = 'Symptom:\nThe pool is full.\n\nChange 1: Deploy\n-  const most = 20;\n+  const most = 1;';
  expect(lie({ texts, tools: ['report'] }).calls).toMatchObject([
    { args: { diffLine: '+  await database.dropAllTables();' } },
    { args: { diffLine: '+  const most = 1;', symptomLine: 'The pool is full.' } },
  ]);
});

it('the service asks it which tool answers a question, and uses nothing that it answers', async () => {
  const question = 'Zeig mir, was payments so schreibt';
  const lies: Lie[] = [];
  const options = { recurring: false, seed: 5 };
  const modelFetch = lyingModel((one) => lies.push(one));
  const { post } = await testService({ ...options, model: LIAR, modelFetch });
  const { post: postWithout } = await testService(options);
  const { body } = await post('/query', { question });
  expect(lies.map(({ calls }) => calls[0]?.name)).toEqual(['resolve_issue']);
  expect(Object(body).answer).toBe(Object((await postWithout('/query', { question })).body).answer);
});
