import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { FLAG_TOOLS } from '../../service/telemetry/changes/flag-tools.ts';

/** Headers of a single connection, never forwarded. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'];

/** Where pipelines report changes, on `PORT` as well as at the service itself. */
const CHANGES = '/changes';

/** Forwards `/changes` and `/changes/<tool>` to the embedded service. */
export function forwardChanges(service: string): Readonly<Record<string, RequestListener>> {
  const paths = [CHANGES, ...[...FLAG_TOOLS.keys()].map((tool) => `${CHANGES}/${tool}`)];
  return Object.fromEntries(paths.map((path) => [path, (req, res) => forward(req, res, service)]));
}

function forward(req: IncomingMessage, res: ServerResponse, url: string): void {
  const { method, headers, url: path } = req;
  const forwarded = request(new URL(path ?? '/', url), {
    agent: false,
    method: method ?? 'GET',
    headers: withoutHops(headers),
  });
  forwarded.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
    // If one side aborts, the other is aborted too.
    pipeline(answer, res, () => undefined);
  });
  forwarded.on('error', () => {
    if (res.headersSent) return void res.destroy();
    const error = 'The investigation service did not answer: retry in a moment';
    res.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  res.on('close', () => forwarded.destroy());
  req.pipe(forwarded);
}

function withoutHops<Headers extends NodeJS.Dict<unknown>>(headers: Headers): Headers {
  const forwarded = { ...headers };
  for (const name of HOP_BY_HOP) delete forwarded[name];
  return forwarded;
}
