import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Workspace } from '../../src/sandbox/slack/workspace.ts';

/** A call that an agent makes and an assistant does not. */
export interface AgentCall {
  method: string;
  args: Record<string, string>;
}

/** Stands before the local workspace and has agent sessions, as Slack has for an app with `agent_view`. */
export interface AgentSlack {
  /** For `SLACK_API_URL`. */
  url: string;
  calls: AgentCall[];
  /** What people see of the session of a thread: its status and its title; `null` before it began. */
  session(channel: string, threadTs: string): { status: string; title: string | null } | null;
  /** The prompts at the top of a direct message. */
  prompts(channel: string): string[];
  close(): Promise<void>;
}

export async function startAgentSlack({ apiUrl }: Pick<Workspace, 'apiUrl'>): Promise<AgentSlack> {
  const calls: AgentCall[] = [];
  const sessions = new Map<string, { status: string; title: string | null }>();
  const prompts = new Map<string, string[]>();

  const set = (channel = '', threadTs = '', status = 'active', title: string | null = null) => {
    const key = `${channel} ${threadTs}`;
    const known = sessions.get(key);
    const session = { status, title: known === undefined ? title : known.title };
    sessions.set(key, session);
    return session;
  };
  /** Of each stream that is open, its thread. */
  const streams = new Map<string, string>();

  /** What Slack answers of a call that the workspace does not know; `null` for all others. */
  function answer(method: string, args: Record<string, string>): object | null {
    const { channel_id, thread_ts, status, title } = args;
    switch (method) {
      case 'agents.sessions.setStatus':
        return { ok: true, ...set(channel_id, thread_ts, status, title) };
      case 'agents.sessions.rename':
        return { ok: true };
      case 'assistant.threads.setSuggestedPrompts': {
        // With a thread it comes to nothing, and nobody is told.
        if (thread_ts !== undefined) return { ok: true };
        const shown: { title: string }[] = JSON.parse(args.prompts ?? '[]');
        prompts.set(
          channel_id ?? '',
          shown.map((one) => one.title),
        );
        return { ok: true };
      }
      default:
        return null;
    }
  }

  function follow(method: string, args: Record<string, string>, answered: { ts?: string }): void {
    const { channel = '', thread_ts = '', ts = '' } = args;
    if (method === 'chat.startStream' && answered.ts !== undefined) {
      streams.set(answered.ts, thread_ts);
      set(channel, thread_ts, 'processing');
    }
    if (method === 'chat.stopStream') set(channel, streams.get(ts), args.session_status ?? 'active');
  }

  const server = createServer(async (req, res) => {
    const body = await buffer(req);
    const method = (req.url ?? '').split('/').at(-1) ?? '';
    const args = Object.fromEntries(new URLSearchParams(body.toString()));
    const own = answer(method, args);
    if (own !== null || method.endsWith('Stream')) calls.push({ method, args });
    res.setHeader('content-type', 'application/json');
    if (own !== null) return void res.end(JSON.stringify(own));
    try {
      const { authorization = '', 'content-type': type = 'application/x-www-form-urlencoded' } = req.headers;
      const headers = { authorization, 'content-type': type };
      const passed = await fetch(`${apiUrl}${method}`, { method: 'POST', headers, body });
      const text = await passed.text();
      if (passed.ok) follow(method, args, JSON.parse(text));
      res.writeHead(passed.status).end(text);
    } catch {
      res.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  return {
    url: `http://127.0.0.1:${port}/api/`,
    calls,
    session: (channel, threadTs) => sessions.get(`${channel} ${threadTs}`) ?? null,
    prompts: (channel) => prompts.get(channel) ?? [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Hands an event to a bot that listens by HTTP, signed as Slack signs it. */
export async function deliverEvent(
  botUrl: string,
  { signingSecret }: Pick<Workspace, 'signingSecret'>,
  event: Record<string, unknown>,
): Promise<number> {
  const eventId = `Ev${String(event.type)}${String(event.event_ts)}`;
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: 'T1',
    api_app_id: 'A1',
    event_id: eventId,
    event,
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const answered = await fetch(`${botUrl}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  });
  return answered.status;
}
