import { expect, it } from 'vitest';
import { lie } from '../../../src/demo/model/liar.ts';

it('it calls what it was not offered, and proves with an invented line', () => {
  expect(lie({ texts: '', tools: ['health'] }).calls?.map(({ name }) => name)).toEqual([
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
