import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { listen } from '../../../src/bot/health/server.ts';

const PAGE = 100;
const Created = z.object({ description: z.string() });

/** An Issue Investigation Service in memory, without latency: what is measured is the program. */
export interface BenchService {
  url: string;
  /** How many requests of each kind it has had: `page`, `get`, `create`, `ask`. */
  calls: Map<string, number>;
  close(): Promise<void>;
}

export interface BenchIssue {
  uuid: string;
  number: number;
  status: string;
}

/** Starts it with these issues. What is created begins as `created`. */
export async function startBenchService(
  issues: readonly BenchIssue[],
  created: string,
): Promise<BenchService> {
  const calls = new Map<string, number>();
  const known = new Map(issues.map((issue) => [issue.uuid, issue]));
  const order = issues.map(({ uuid }) => uuid);
  const descriptions = new Map<string, string>();

  const summary = ({ uuid, number, status }: BenchIssue) => ({
    uuid,
    number,
    status,
    title: `Problem ${number}`,
    description: descriptions.get(uuid) ?? `Problem ${number} is a problem.`,
    severity: 'medium',
    environment: 'production',
    triggeredAt: '2026-03-17T12:00:00Z',
    seedCount: 1,
  });
  const detail = (issue: BenchIssue) => ({
    ...summary(issue),
    latestVersion: 1,
    versions: [{ version: 1, status: issue.status === 'investigating' ? 'RUNNING' : 'SUCCESS' }],
  });

  function page(query: URLSearchParams): object {
    const status = query.get('status');
    const search = query.get('search');
    if (search !== null) {
      const matching = [...known.values()].map(summary).filter((one) => one.description.includes(search));
      return { object: 'list', data: matching.slice(0, PAGE), has_more: false };
    }
    const after = query.get('startingAfter');
    const data: object[] = [];
    let last = '';
    for (let at = after === null ? 0 : order.indexOf(after) + 1; at < order.length; at += 1) {
      const issue = known.get(order[at] ?? '');
      if (!issue || (status !== null && issue.status !== status)) continue;
      if (data.length === PAGE) return { object: 'list', data, has_more: true, after: last };
      data.push(summary(issue));
      last = issue.uuid;
    }
    return { object: 'list', data, has_more: false };
  }

  function create(body: string): object {
    const number = known.size + 1;
    const issue = { uuid: uuidOf(number), number, status: created };
    descriptions.set(issue.uuid, Created.parse(JSON.parse(body)).description);
    known.set(issue.uuid, issue);
    order.push(issue.uuid);
    return detail(issue);
  }

  const server = await listen(
    async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const [, kind, id = '', part] = pathname.split('/');
      const sent = await text(request);
      const issue = known.get(id);
      const found = (): [string, object] => {
        if (kind === 'query') return ['ask', { answer: 'The pool is full.', conversation_id: uuidOf(1) }];
        if (kind === 'artifacts') return ['artifacts', []];
        if (id === '')
          return request.method === 'POST' ? ['create', create(sent)] : ['page', page(searchParams)];
        if (issue === undefined) return ['missing', {}];
        if (part === 'results') return ['results', { rootCause: { rootCauseSummary: 'The pool is full.' } }];
        return ['get', detail(issue)];
      };
      const [name, body] = found();
      calls.set(name, (calls.get(name) ?? 0) + 1);
      response.writeHead(name === 'missing' ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    },
    0,
    '127.0.0.1',
  );
  return { url: server.url, calls, close: () => server.close() };
}

/** The uuid of the nth issue. */
export function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
