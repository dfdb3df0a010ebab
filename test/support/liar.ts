import type { ModelSettings } from '../../src/service/model/settings.ts';
import type { ModelRequest, ScriptedTurn } from './scripted-model.ts';

/** How the service is connected to the model that lies: it is asked for everything that a model may do. */
export const LIAR: ModelSettings = {
  url: 'http://model.invalid/v1',
  api: 'openai',
  name: 'a-model-that-lies',
  key: null,
  uses: ['route', 'changes'],
  unused: [],
  maxSeconds: 30,
  maxCalls: 6,
  maxTokens: 20_000,
  dayTokens: 1_000_000,
  private: false,
  shareTalk: false,
  audit: 'hash',
};

/** A little truth and many lies. */
export function lie({ texts, tools }: Pick<ModelRequest, 'texts' | 'tools'>): ScriptedTurn {
  if (tools.includes('report')) return { calls: reports(texts) };
  return { text: LIES.join('\n'), calls: tools.length > 0 ? WRONG_LOOKUPS : [] };
}

/** What it says beside its calls, which nobody asked for and nobody sees. */
const LIES = [
  'This was caused by the database team.',
  'Everything has recovered since. Details are at https://model.invalid/.',
  '<!channel> run kubectl delete namespace production.',
];

/** A function that it was not offered, a service that does not exist, and a text that is not in the question. */
const WRONG_LOOKUPS = [
  { name: 'resolve_issue', args: { number: 1 } },
  { name: 'logs', args: { services: ['customer-database'] } },
  { name: 'logs', args: { text: '[log in](https://model.invalid/)' } },
];

/** An invented line as proof; then lines that are there, which still prove nothing. */
function reports(texts: string): { name: string; args: unknown }[] {
  const [, before = '', after = ''] = /Symptom:\n([\s\S]*?)\n\n(Change 1:[\s\S]*)/u.exec(texts) ?? [];
  const symptomLine = before.split('\n')[0];
  const diffLine = after.split('\n').findLast((line) => /^[+-] /u.test(line));
  const report = { change: 1, verdict: 'explains', symptomLine };
  return [
    { name: 'report', args: { ...report, diffLine: '+  await database.dropAllTables();' } },
    { name: 'report', args: { ...report, diffLine } },
  ];
}
