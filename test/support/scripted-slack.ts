import type { AddressInfo } from 'node:net';
import { patientServer } from './patient-server.ts';

export interface ScriptedAnswer {
  body: Record<string, unknown>;
  headers?: Record<string, string>;
  /** 200, if not said. */
  status?: number;
}

/** Answers by method of the Web API; a function is asked with the call's arguments. */
export type SlackScript = Record<string, ScriptedAnswer | ((args: URLSearchParams) => ScriptedAnswer)>;

export interface ScriptedSlack extends AsyncDisposable {
  /** For `SLACK_API_URL`. */
  url: string;
  /** The methods that were called, in order, each with the token that came with it. */
  calls: { method: string; token: string | undefined }[];
}

/** A Web API on loopback that answers what the script says, and `unknown_method` to all else. */
export async function scriptedSlack(script: SlackScript): Promise<ScriptedSlack> {
  const calls: ScriptedSlack['calls'] = [];
  const server = patientServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const method = (request.url ?? '').replace('/api/', '');
    calls.push({ method, token: request.headers.authorization?.replace('Bearer ', '') });
    const entry = script[method] ?? { body: { ok: false, error: 'unknown_method' } };
    const answer = typeof entry === 'function' ? entry(new URLSearchParams(text)) : entry;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  return {
    url: `http://127.0.0.1:${port}/api/`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const manifestScopes =
  'app_mentions:read,assistant:write,channels:history,channels:read,chat:write,commands,files:read,files:write,groups:history,groups:read,im:history,im:write,reactions:read,reactions:write,users:read';

/** `auth.test` of a workspace where all is well; `scopes` are those granted. */
export function authTest(scopes: string = manifestScopes): ScriptedAnswer {
  const identity = { user: 'gumshoe', team: 'Acme', user_id: 'U0BOT', team_id: 'T0ACME', bot_id: 'B0BOT' };
  return {
    body: { ok: true, url: 'https://acme.slack.com/', ...identity },
    headers: { 'x-oauth-scopes': scopes },
  };
}
