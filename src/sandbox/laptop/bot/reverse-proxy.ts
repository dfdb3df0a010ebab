import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { PageBotState } from '../../slack/page-panel.ts';

interface ProxyDeps {
  /** The paths that are the bot's. */
  paths: readonly string[];
  bot: { state(): PageBotState; url(): string | null };
  /** Serves everything else. */
  page: RequestListener;
}

/** Of one connection, and so no business of the next. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'];

/** Serves the page, and passes on what is the bot's; while that is down it is answered 503, with a sentence. */
export function createReverseProxy({ paths, bot, page }: ProxyDeps): RequestListener {
  return (req, res) => {
    if (!paths.includes((req.url ?? '/').split('?')[0] ?? '')) return page(req, res);
    const url = bot.url();
    if (url === null) return refuse(req, res, unavailableMessage(bot.state()));
    forward(req, res, url);
  };
}

function unavailableMessage(state: PageBotState): string {
  if (state === 'starting') return 'Gumshoe is starting: try again in a moment';
  return state === 'stopping'
    ? 'Gumshoe is stopping'
    : 'Gumshoe is down: start it again on the page of the local workspace';
}

function forward(req: IncomingMessage, res: ServerResponse, url: string): void {
  const { method, headers, url: path } = req;
  const asked = request(new URL(path ?? '/', url), {
    agent: false,
    method: method ?? 'GET',
    headers: withoutHops(headers),
  });
  asked.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
    // Where one side breaks off, the other one is told in the same way.
    pipeline(answer, res, () => undefined);
  });
  asked.on('error', () => {
    if (res.headersSent) res.destroy();
    else refuse(req, res, 'Gumshoe has gone away before it answered', 502);
  });
  res.on('close', () => asked.destroy());
  req.pipe(asked);
}

function withoutHops<Headers extends NodeJS.Dict<unknown>>(headers: Headers): Headers {
  const kept = { ...headers };
  for (const name of HOP_BY_HOP) delete kept[name];
  return kept;
}

/** As the bot's own answers are shaped; the probes say 503 whatever the reason. */
function refuse(req: IncomingMessage, res: ServerResponse, sentence: string, status = 503): void {
  const path = (req.url ?? '/').split('?')[0];
  const probe = path === '/healthz' || path === '/readyz';
  const body =
    path === '/readyz'
      ? { ready: false, reasons: [sentence], degraded: [] }
      : { ...(probe ? { status: 'down' } : {}), error: sentence };
  res.writeHead(probe ? 503 : status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
