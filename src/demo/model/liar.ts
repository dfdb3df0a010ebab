import { z } from 'zod';
import type { ModelSettings } from '../../service/model/settings.ts';

/** What it answers to one request. */
export interface Lie {
  text?: string;
  calls: readonly { name: string; args: unknown }[];
}

/** How the service is connected to the model that lies: it is asked for everything that a model may do. */
export const LIAR: ModelSettings = {
  url: 'http://model.invalid/v1',
  api: 'openai',
  name: 'a-model-that-lies',
  key: null,
  uses: ['route', 'changes'],
  isRetiredNamed: false,
  maxSeconds: 30,
  maxCalls: 6,
  maxTokens: 20_000,
  dayTokens: 1_000_000,
  private: false,
  shareTalk: false,
  audit: 'hash',
};

const Request = z.object({
  messages: z.array(z.object({ content: z.union([z.string(), z.array(z.object({ text: z.string() }))]) })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

/** A model's server in this process, in place of `fetch`: answers each request with a lie. */
export function lyingModel(onLie: (lie: Lie) => void): typeof globalThis.fetch {
  return async (_url, init) => {
    const { messages, tools } = Request.parse(JSON.parse(String(init?.body)));
    const texts = messages.flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.map(({ text }) => text),
    );
    const answer = lie({ texts: texts.join('\n'), tools: tools.map((tool) => tool.function.name) });
    onLie(answer);
    return new Response(streamOf(answer), { headers: { 'content-type': 'text/event-stream' } });
  };
}

function streamOf({ text, calls }: Lie): string {
  const tool_calls = calls.map(({ name, args }, index) => ({
    index,
    id: `call-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'lie', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const end = calls.length > 0 ? 'tool_calls' : 'stop';
  return `${chunk({ role: 'assistant', content: text, tool_calls }, null)}${chunk({}, end)}data: [DONE]\n\n`;
}

/** A little truth and many lies. */
export function lie({ texts, tools }: { texts: string; tools: readonly string[] }): Lie {
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
function reports(texts: string): Lie['calls'] {
  const [, before = '', after = ''] = /Symptom:\n([\s\S]*?)\n\n(Change 1:[\s\S]*)/u.exec(texts) ?? [];
  const symptomLine = before.split('\n')[0];
  const diffLine = after.split('\n').findLast((line) => /^[+-] /u.test(line));
  const report = { change: 1, verdict: 'explains', symptomLine };
  return [
    { name: 'report', args: { ...report, diffLine: '+  await database.dropAllTables();' } },
    { name: 'report', args: { ...report, diffLine } },
  ];
}
