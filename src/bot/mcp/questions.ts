import { z } from 'zod';
import type { QueryResponse } from '../../contract/answers.ts';
import type { QueryRequest } from '../../contract/schema.ts';
import { type Call, count, ofOthers, type Tool, type ToolAnswer, ToolError, tool } from '../../lib/mcp.ts';
import { oneLine } from '../../lib/text.ts';
import type { Caller } from './callers.ts';
import { asked, type McpDeps, readable } from './found.ts';
import { briefOf, resultsOf } from './reading.ts';

const Answer = z.object({
  answer: z.string(),
  conversation: z.string().nullable(),
  evidence: z.array(z.object({ artifact: z.string(), summary: z.string(), kind: z.string() })),
});

const MOST_QUESTION = 4_000;
/** Shorter than the 60 s that a call may take, so that what has come by then is said. */
const ANSWER_MS = 55_000;
const PROGRESS_EVERY = 400;

const service = z.string().min(1).max(100);

/** What the service's agent answers. It is asked in words, so any service that speaks the API can. */
export function questionTools(deps: McpDeps): Tool<Caller>[] {
  return [
    tool({
      name: 'ask',
      title: 'Ask the agent',
      description:
        'Asks the investigation agent about telemetry, changes or an issue. Pass conversation to go on.',
      input: z.object({
        question: z.string().min(1).max(MOST_QUESTION),
        issue: z.string().max(20).optional().describe('12, or P12'),
        conversation: z.string().max(400).optional(),
      }),
      output: Answer,
      async run({ question, issue, conversation }, call) {
        const request = issue === undefined ? { question } : await aboutIssue(issue, question, call, deps);
        return askAgent(request, conversation ?? null, call, deps);
      },
    }),
    tool({
      name: 'get_topology',
      title: 'Get the topology',
      description: 'What a service calls and what calls it; without a service, all that is known.',
      input: z.object({ service: service.optional() }),
      output: Answer,
      run: ({ service: name }, call) => askAgent({ question: questions.topology(name) }, null, call, deps),
    }),
    tool({
      name: 'query_metric',
      title: 'Query a metric',
      description:
        'A metric of a service over the last minutes: error rate, latency, throughput, CPU, memory, or a metric by name.',
      input: z.object({ service, metric: z.string().min(1).max(200), minutes: count(1_440, 60) }),
      output: Answer,
      run: ({ service: name, metric, minutes }, call) =>
        askAgent({ question: questions.metric(name, metric, minutes) }, null, call, deps),
    }),
    tool({
      name: 'list_changes',
      title: 'List changes',
      description: 'Deploys and other changes in the last hours, of a service or of all.',
      input: z.object({ service: service.optional(), hours: count(168, 24) }),
      output: Answer,
      run: ({ service: name, hours }, call) =>
        askAgent({ question: questions.changes(name, hours) }, null, call, deps),
    }),
  ];
}

/**
 * Asks the first organization's agent: that of private channels knows the issues of every one of them, and answers only
 * there.
 */
async function askAgent(
  asking: Pick<QueryRequest, 'question' | 'thread'>,
  handle: string | null,
  call: Call<Caller>,
  { services, handles }: McpDeps,
): Promise<ToolAnswer<z.input<typeof Answer>>> {
  const { caller, signal } = call;
  const conversation = handle === null ? null : handles.open('conversation', handle, caller);
  if (handle !== null && conversation === null)
    throw new ToolError('That is not one of your conversations. Ask without one to begin another.');
  const request = { ...asking, ...(conversation === null ? {} : { conversation_id: conversation }) };
  let text = '';
  let shown = 0;
  let response: QueryResponse | null = null;
  const streaming = async () => {
    for await (const event of services
      .for('default')
      .query.stream(request, signal, { timeoutMs: ANSWER_MS })) {
      if (event.kind === 'done') {
        response = event.response;
        text = event.response?.answer ?? event.text;
        continue;
      }
      if (event.kind === 'progress') {
        await call.progress(event.text);
        continue;
      }
      text += event.text;
      if (text.length - shown < PROGRESS_EVERY) continue;
      shown = text.length;
      await call.progress(text.slice(-PROGRESS_EVERY));
    }
    return response;
  };
  const answered: QueryResponse | null = await asked(streaming());
  const id = answered?.conversation_id;
  const data = {
    answer: text,
    conversation: id === undefined ? null : handles.seal('conversation', id, caller),
    evidence: (answered?.artifacts ?? [])
      .slice(0, 20)
      .flatMap(({ id: artifact, summary = '', data_type: kind = '' }) =>
        artifact ? [{ artifact: handles.seal('artifact', `/${artifact}`, caller), summary, kind }] : [],
      ),
  };
  return { data, text: ofOthers(text || 'No answer.') };
}

/** The same facts that a first question in an issue's thread carries. */
async function aboutIssue(
  issue: string,
  question: string,
  call: Call<Caller>,
  deps: McpDeps,
): Promise<Pick<QueryRequest, 'question' | 'thread'>> {
  const found = await readable(issue, call, deps);
  if (found.organization === 'private') {
    throw new ToolError(
      'Ask about an issue of a private channel in that channel: its agent answers only there.',
    );
  }
  const { number, title, status } = await briefOf(found, deps);
  const results = await resultsOf(found, found.detail.latestVersion ?? 1, deps);
  const { rootCauseSummary, isUnexplained = false } = results?.rootCause ?? {};
  const cause = (!isUnexplained && rootCauseSummary) || null;
  const about = `About issue #${number} (${oneLine(title)}, ${status}${cause ? `; root cause: ${oneLine(cause)}` : ''}): `;
  return {
    question: `${about}${question}`,
    thread: { question, issue: { number: Number(number), title: oneLine(title), root_cause: cause } },
  };
}

/** What agents ask by a tool's name, in the words that the service's agent understands. */
const questions = {
  topology: (service: string | undefined): string =>
    service === undefined
      ? 'Which services are there, and what depends on what?'
      : `What does ${oneLine(service)} depend on, and what depends on ${oneLine(service)}?`,
  metric: (service: string, metric: string, minutes: number): string =>
    `Show the ${oneLine(metric)} of ${oneLine(service)} in the last ${minutes} minutes`,
  changes: (service: string | undefined, hours: number): string =>
    `What changed${service === undefined ? '' : ` in ${oneLine(service)}`} in the last ${hours} hours?`,
};
