import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { FLAG_TOOLS } from '../../service/telemetry/changes/flag-tools.ts';
import type { BotState } from '../scenarios/bot-command.ts';

interface ProxyDeps {
  /** Paths that are forwarded to the bot; one that ends in `/` stands for all below it. */
  paths: readonly string[];
  bot: { state(): BotState; url(): string | null };
  /** The address of the embedded service, which takes `/changes`; `null` without one. */
  service: string | null;
  /** Serves everything else. */
  page: RequestListener;
}

/** Headers of a single connection, never forwarded. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'];

/**
 * Serves the page, and forwards the bot's paths and `/changes`; while the bot is down its paths answer 503 with a sentence.
 */
export function createReverseProxy({ paths, bot, service, page }: ProxyDeps): RequestListener {
  return (req, res) => {
    const asked = (req.url ?? '/').split('?')[0] ?? '';
    if ((asked === CHANGES || asked.startsWith(`${CHANGES}/`)) && service !== null)
      return forward(req, res, service);
    const isBots = paths.some((path) => (path.endsWith('/') ? asked.startsWith(path) : asked === path));
    if (!isBots) return page(req, res);
    const url = bot.url();
    if (url === null) return refuse(req, res, unavailableMessage(bot.state()));
    forward(req, res, url);
  };
}

/** Where pipelines report changes, on `PORT` as well as at the service itself. */
const CHANGES = '/changes';

/** Forwards `/changes` and `/changes/<tool>` to the service of this very program; for a bot that serves `PORT` itself. */
export function forwardChanges(service: string): Readonly<Record<string, RequestListener>> {
  const paths = [CHANGES, ...[...FLAG_TOOLS.keys()].map((tool) => `${CHANGES}/${tool}`)];
  return Object.fromEntries(paths.map((path) => [path, (req, res) => forward(req, res, service)]));
}

function unavailableMessage(state: BotState): string {
  if (state === 'starting') return 'Gumshoe is starting: retry in a moment';
  return state === 'stopping'
    ? 'Gumshoe is stopping'
    : 'Gumshoe is down: start it again on the page of the local workspace';
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
    if (res.headersSent) res.destroy();
    else refuse(req, res, 'Gumshoe closed the connection before it answered', 502);
  });
  res.on('close', () => forwarded.destroy());
  req.pipe(forwarded);
}

function withoutHops<Headers extends NodeJS.Dict<unknown>>(headers: Headers): Headers {
  const forwarded = { ...headers };
  for (const name of HOP_BY_HOP) delete forwarded[name];
  return forwarded;
}

/** Shaped like the bot's own answers; probes always get 503. */
function refuse(req: IncomingMessage, res: ServerResponse, sentence: string, status = 503): void {
  const path = (req.url ?? '/').split('?')[0];
  const probe = path === '/healthz' || path === '/readyz';
  const body =
    path === '/readyz'
      ? { ready: false, reasons: [sentence], degraded: [] }
      : { ...(probe ? { status: 'down' } : {}), error: sentence };
  res.writeHead(probe ? 503 : status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
