import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { patientServer } from './patient-server.ts';

/** What a scripted server of telemetry was asked. */
export interface SourceCall {
  path: string;
  parameters: Record<string, string>;
  headers: Record<string, unknown>;
  /** What was posted, if it is no form. */
  body: string;
}

/** Answers of one path, and the parameters that its documents know; another one is answered with 400. */
export interface Route {
  /** `GET` if it is not said; `*` also takes a form that is posted. */
  method?: 'GET' | 'POST' | '*';
  parameters?: readonly string[];
  answer: (call: SourceCall) => unknown;
}

/** A status other than 200, or text that is not JSON. */
export class Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, text = '{}', headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.text = text;
    this.headers = headers;
  }
}

/** An answer, by a server with that clock. */
export class Dated {
  readonly date: string;
  readonly answer: unknown;
  constructor(date: string, answer: unknown) {
    this.date = date;
    this.answer = answer;
  }
}

/** A server that is strict about its paths, methods and parameters, until the test is over. Paths may end in `*`. */
export async function scriptedSource(
  routes: Readonly<Record<string, Route>>,
): Promise<{ url: string; calls: SourceCall[] }> {
  const calls: SourceCall[] = [];
  const server = patientServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://source');
    const body = await text(req);
    const isForm = req.headers['content-type'] === 'application/x-www-form-urlencoded';
    const parameters = Object.fromEntries([...searchParams, ...new URLSearchParams(isForm ? body : '')]);
    const call = { path: pathname, parameters, headers: req.headers, body: isForm ? '' : body };
    calls.push(call);
    const route =
      routes[pathname] ??
      Object.entries(routes).find(
        ([path]) => path.endsWith('*') && pathname.startsWith(path.slice(0, -1)),
      )?.[1];
    const unknown = Object.keys(call.parameters).filter((name) => !route?.parameters?.includes(name));
    const { method = 'GET' } = route ?? {};
    const given =
      route === undefined
        ? new Refusal(404)
        : method !== '*' && method !== req.method
          ? new Refusal(405)
          : unknown.length > 0
            ? new Refusal(400, JSON.stringify({ error: `unknown parameters: ${unknown.join(', ')}` }))
            : route.answer(call);
    // The machine's clock is not the test's.
    res.sendDate = false;
    const answer = given instanceof Dated ? given.answer : given;
    if (given instanceof Dated) res.setHeader('date', given.date);
    const isRefusal = answer instanceof Refusal;
    res.writeHead(isRefusal ? answer.status : 200, {
      'content-type': 'application/json',
      ...(isRefusal && answer.headers),
    });
    res.end(isRefusal ? answer.text : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    calls,
  };
}
