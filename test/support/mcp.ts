import { createHmac } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** `legacy` opens with `initialize`, as most clients of 2026 still do; `modern` is the protocol of 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** The official client, connected with a key. */
export async function connectMcp(
  url: string,
  {
    era = 'modern',
    key,
    headers = {},
    slackbot,
  }: {
    era?: Era;
    key?: string;
    headers?: Record<string, string>;
    slackbot?: { secret: string; userId: string; teamId: string; now: () => number };
  },
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    ...(key === undefined
      ? {}
      : { requestInit: { headers: { ...headers, authorization: `Bearer ${key}` } } }),
    ...(slackbot === undefined ? {} : { fetch: (to, init) => fetch(to, signedInit(init, slackbot)) }),
  });
  await client.connect(transport);
  return client;
}

/** A request as Slackbot sends it: signed, with the person in `_meta`. */
function signedInit(
  init: RequestInit | undefined,
  { secret, userId, teamId, now }: { secret: string; userId: string; teamId: string; now: () => number },
): RequestInit {
  if (typeof init?.body !== 'string') return init ?? {};
  const message: Record<string, unknown> = JSON.parse(init.body);
  const params: Record<string, unknown> = Object(message.params ?? {});
  const meta: Record<string, unknown> = Object(params._meta ?? {});
  const body = JSON.stringify({
    ...message,
    params: { ...params, _meta: { ...meta, slack: { user_id: userId, team_id: teamId } } },
  });
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(slackSignature(body, secret, now()))) headers.set(name, value);
  return { ...init, headers, body };
}

export function slackSignature(body: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` };
}

/** What a tool answered: its data, its text, and whether it failed. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  const data: Record<string, unknown> = Object(result.structuredContent ?? {});
  return { data, text, failed: result.isError === true, meta: result._meta };
}
