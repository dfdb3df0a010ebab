import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { QueryRequest } from '../../src/contract/schema.ts';
import { patientServer } from './patient-server.ts';
import { until } from './until.ts';

/** An answer of the contract's, in part. */
interface Whole {
  answer: string;
  conversation_id?: string;
  artifacts?: unknown[];
}

/** One question as it reached the service: it waits for what the test does with it. */
export interface Turn {
  /** All the words that came, with what precedes the question. */
  question: string;
  conversationId: string | undefined;
  /** Sends some words of the answer, as a delta. */
  say(words: string): void;
  /** Ends the stream with the whole answer. */
  end(whole: string | Whole): void;
  /** Answers at once, as a service that does not stream. */
  json(whole: Whole): void;
  /** Answers with an error body of the contract's. */
  refuse(status: number, headers?: Record<string, string>): void;
  /** Breaks the connection behind what has been said. */
  cut(): void;
  /** Whether the bot has given the answer up. */
  isLeft(): boolean;
}

/** Stands between the bot and the embedded service: questions are the test's to answer, all else passes through. */
export interface Agent {
  /** For `ISSUE_SERVICE_URL`. */
  url: string;
  /** Every question that came, in order. */
  turns: Turn[];
  /** What becomes of a question as it comes; by default it waits. `embedded` answers it in truth. */
  onQuestion: 'wait' | 'embedded' | ((turn: Turn) => void);
  /** The first question with these words that no test has taken yet, once it comes. */
  asked(words: string): Promise<Turn>;
  close(): Promise<void>;
}

export async function startAgent(embeddedUrl: string): Promise<Agent> {
  const base = new URL(embeddedUrl);
  const taken = new Set<Turn>();
  const server = patientServer(async (incoming, response) => {
    const body = await text(incoming);
    const isQuestion = incoming.method === 'POST' && incoming.url?.endsWith('/query') === true;
    const turn = isQuestion ? turnOf(QueryRequest.parse(JSON.parse(body)), response) : null;
    if (turn !== null) agent.turns.push(turn);
    if (turn === null || agent.onQuestion === 'embedded') passOn(incoming, body, base, response);
    else if (agent.onQuestion !== 'wait') agent.onQuestion(turn);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const agent: Agent = {
    url: `http://127.0.0.1:${port}/api/v2`,
    turns: [],
    onQuestion: 'wait',
    asked: async (words) => {
      const turn = await until(`the service is asked “${words}”`, () =>
        agent.turns.find((one) => one.question.includes(words) && !taken.has(one)),
      );
      taken.add(turn);
      return turn;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return agent;
}

function turnOf({ question, conversation_id: conversationId }: QueryRequest, response: ServerResponse): Turn {
  const begin = () => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  };
  const send = (event: string, data: unknown) => {
    begin();
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  return {
    question,
    conversationId,
    say: (delta) => send('delta', { delta }),
    end: (whole) => {
      send('done', { artifacts: [], ...(typeof whole === 'string' ? { answer: whole } : whole) });
      response.end();
    },
    json: (whole) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ artifacts: [], ...whole }));
    },
    refuse: (status, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ type: 'api_error', message: 'not now', request_id: `req-${status}` }));
    },
    cut: () => {
      begin();
      // A comment: what was said before it has left by then.
      response.write(':\n\n', () => setImmediate(() => response.destroy()));
    },
    isLeft: () => response.destroyed,
  };
}

function passOn(incoming: IncomingMessage, body: string, base: URL, response: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ host: base.hostname, port: base.port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  onward.end(body);
}
