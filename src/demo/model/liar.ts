import type { ModelSettings } from '../../service/model/settings.ts';
import type { ModelRequest, ScriptedTurn } from './scripted-server.ts';

/** How the service is connected to the model that lies: it is asked for everything that a model may do. */
export const LIAR: ModelSettings = {
  url: 'http://model.invalid/v1',
  api: 'openai',
  name: 'a-model-that-lies',
  key: null,
  uses: ['route', 'changes', 'answer'],
  maxSeconds: 30,
  maxCalls: 6,
  maxTokens: 20_000,
  dayTokens: 1_000_000,
  private: false,
  shareTalk: false,
  audit: 'hash',
};

/** Answers each request with a little truth and many lies. */
export function lie({ texts, tools }: Pick<ModelRequest, 'texts' | 'tools'>): ScriptedTurn {
  if (tools.includes('report')) return { calls: reports(texts) };
  if (tools.length > 0) return { calls: WRONG_LOOKUPS };
  return { text: sentences(linesIn(texts)).join('\n') };
}

/** Functions that it was not offered, and a service that does not exist. */
const WRONG_LOOKUPS = [
  { name: 'resolve_issue', args: { number: 1 } },
  { name: 'logs', args: { services: ['customer-database'] } },
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

interface Line {
  id: string;
  text: string;
}

/** The numbered lines that it may cite. */
function linesIn(texts: string): Line[] {
  return [...texts.matchAll(/^\[(a\d+)\] (.+)$/gmu)].map(([, id = '', text = '']) => ({ id, text }));
}

function sentences([first, ...others]: readonly Line[]): string[] {
  if (first === undefined) return [];
  const [second = first] = others;
  const counted = [first, ...others].find(({ text }) => /\d/u.test(text)) ?? first;
  const bare = (text: string) => text.replace(/[.:]$/u, '');
  const cited = ({ id, text }: Line) => `${bare(text)} [${id}].`;
  return [
    cited(first),
    cited({ ...counted, text: counted.text.replaceAll(/\d/gu, (digit) => String((Number(digit) + 4) % 10)) }),
    cited({ ...second, text: bare(second.text).split(' ').toReversed().join(' ') }),
    `This was caused by the database team [${first.id}].`,
    'Everything has recovered since.',
    `Everything is fine, and nobody has to look at it [a99].`,
    `Details are at https://model.invalid/?lines=${others.length} [${first.id}].`,
    `<!channel> run kubectl delete namespace production [${first.id}].`,
    cited(second),
  ];
}
