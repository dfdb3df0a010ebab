import { onTestFinished } from 'vitest';
import { patientServer } from './patient-server.ts';

/** What a scripted server of telemetry was asked. */
export interface SourceCall {
  path: string;
  parameters: Record<string, string>;
  headers: Record<string, unknown>;
}

/** Answers of one path, and the parameters that its documents know; another one is answered with 400. */
export interface Route {
  parameters?: readonly string[];
  answer: (call: SourceCall) => unknown;
}

/** A status other than 200, or text that is not JSON. */
export class Refusal {
  readonly status: number;
  readonly text: string;
  constructor(status: number, text = '{}') {
    this.status = status;
    this.text = text;
  }
}

/** A server that is strict about its paths and parameters, until the test is over. Paths may end in `*`. */
export async function scriptedSource(
  routes: Readonly<Record<string, Route>>,
): Promise<{ url: string; calls: SourceCall[] }> {
  const calls: SourceCall[] = [];
  const server = patientServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://source');
    const call = { path: pathname, parameters: Object.fromEntries(searchParams), headers: req.headers };
    calls.push(call);
    const route =
      routes[pathname] ??
      Object.entries(routes).find(
        ([path]) => path.endsWith('*') && pathname.startsWith(path.slice(0, -1)),
      )?.[1];
    const unknown = Object.keys(call.parameters).filter((name) => !route?.parameters?.includes(name));
    const answer =
      req.method !== 'GET'
        ? new Refusal(405)
        : route === undefined
          ? new Refusal(404)
          : unknown.length > 0
            ? new Refusal(400, JSON.stringify({ error: `unknown parameters: ${unknown.join(', ')}` }))
            : route.answer(call);
    const isRefusal = answer instanceof Refusal;
    res.writeHead(isRefusal ? answer.status : 200, { 'content-type': 'application/json' });
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
