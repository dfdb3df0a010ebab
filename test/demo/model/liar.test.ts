import { expect, it } from 'vitest';
import { lie } from '../../../src/demo/model/liar.ts';
import { gate } from '../../../src/service/model/gate.ts';

const LINES = [
  { id: 'a1', text: 'payments error rate rose from 0.3% to 5.6% at 17:38 UTC.' },
  { id: 'a2', text: 'Caused by a deploy.' },
];

it('of what it writes, the true sentences pass the gate, and nothing else', () => {
  const texts = LINES.map(({ id, text }) => `[${id}] ${text}`).join('\n');
  const { text = '' } = lie({ texts, tools: [] });
  const { sentences, leftOut } = gate(text, LINES);
  expect(sentences.map(({ words }) => words)).toEqual(LINES.map(({ text: line }) => line));
  expect(leftOut).toBe(7);
});

it('it calls what it was not offered, and proves with an invented line', () => {
  expect(lie({ texts: '', tools: ['health'] }).calls?.map(({ name }) => name)).toEqual([
    'resolve_issue',
    'logs',
  ]);
  const texts = 'Symptom:\nThe pool is full.\n\nChange 1: Deploy\n-  const most = 20;\n+  const most = 1;';
  expect(lie({ texts, tools: ['report'] }).calls).toMatchObject([
    { args: { diffLine: '+  await database.dropAllTables();' } },
    { args: { diffLine: '+  const most = 1;', symptomLine: 'The pool is full.' } },
  ]);
});
