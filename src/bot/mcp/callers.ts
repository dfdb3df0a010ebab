import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import type { Admission } from '../../lib/mcp.ts';
import { bearerOf, createGuessLimit, keyOf, TOO_MANY_GUESSES } from '../../lib/mcp-keys.ts';
import type { McpSettings } from '../config.ts';
import type { Reader } from '../slack/access/may-read.ts';
import type { People } from '../slack/access/people.ts';
import { signedBySlack } from '../slack/signature.ts';

/** Who calls a tool: a key, which sees what is in public channels, or a person in Slack, who sees what they see there. */
export type Caller =
  | { kind: 'key'; name: string; mayWrite: boolean }
  /** `signature` is of this one request: sent again, it changes nothing. */
  | { kind: 'person'; userId: string; mayWrite: true; signature: string };

/** The caller as the audit and the cards name them. */
export function idOf(caller: Caller): string {
  return caller.kind === 'key' ? `mcp:${caller.name}` : caller.userId;
}

export function readerOf(caller: Caller): Reader {
  return caller.kind === 'key' ? {} : { person: caller.userId };
}

/** Slackbot names the person in each call. */
const BySlackbot = z.object({
  params: z.object({
    _meta: z.object({
      slack: z.object({ user_id: z.string().regex(/^[UW][A-Z0-9]{1,30}$/u), team_id: z.string() }),
    }),
  }),
});

/** Methods that reveal nothing, so no caller need be known: the handshake, and the list of tools. */
const Harmless = z.object({
  method: z.enum([
    'initialize',
    'notifications/initialized',
    'ping',
    'server/discover',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
  ]),
});
const SLACKBOT: Caller = { kind: 'key', name: 'slackbot', mayWrite: true };

interface Options {
  settings: McpSettings;
  teamId: string;
  people: Pick<People, 'refusal'>;
  clock: Clock;
  /** How often something was done in this minute, over all replicas. */
  countInMinute: (key: string) => Promise<number>;
}

const CALLS_A_MINUTE = 120;

const WRONG_KEY =
  'Send a key of MCP_TOKENS as Authorization: Bearer, or have Slackbot sign the request (MCP_SLACKBOT=true).';

export function createAuthenticate({ settings, teamId, people, clock, countInMinute }: Options) {
  const guesses = createGuessLimit(clock);
  return async (
    request: Request,
    body: () => Promise<string | null>,
    address: string,
  ): Promise<Admission<Caller>> => {
    const caller = request.headers.has('x-slack-signature')
      ? await personOf(request, body)
      : keyCaller(request, address);
    if ('status' in caller) return caller;
    const done = await countInMinute(`mcp:${idOf(caller.caller)}`);
    if (done <= CALLS_A_MINUTE) return caller;
    return { status: 429, error: `More than ${CALLS_A_MINUTE} requests in a minute. Try again in a minute.` };
  };

  function keyCaller(request: Request, address: string): Admission<Caller> {
    const token = bearerOf(request);
    if (guesses.blockedMs(address, token) > 0) return { status: 429, error: TOO_MANY_GUESSES };
    const key = token === null ? null : keyOf(settings.keys, token);
    guesses.tried(address, token, key !== null);
    if (key === null) return { status: 401, error: WRONG_KEY };
    return { caller: { kind: 'key', name: key.name, mayWrite: key.mayWrite } };
  }

  async function personOf(request: Request, read: () => Promise<string | null>): Promise<Admission<Caller>> {
    const body = settings.signingSecrets.length === 0 ? null : await read();
    if (body === null || !signedBySlack(request.headers, body, settings.signingSecrets, clock.now())) {
      return { status: 401, error: 'The signature is not Slack’s, or older than five minutes.' };
    }
    const message = parseJson(body);
    const named = BySlackbot.safeParse(message);
    if (!named.success && Harmless.safeParse(message).success) return { caller: SLACKBOT };
    if (!named.success)
      return { status: 403, error: 'The request does not name a person in params._meta.slack.' };
    const { user_id: userId, team_id: team } = named.data.params._meta.slack;
    if (team !== teamId) return { status: 403, error: 'Gumshoe belongs to another workspace.' };
    const refused = await people.refusal(userId).catch(() => 'unknown' as const);
    if (refused === 'unknown')
      return { status: 503, error: 'Slack does not say who you are. Try again in a minute.' };
    if (refused !== null)
      return { status: 403, error: 'Guests and people of other organizations may not use Gumshoe.' };
    const signature = request.headers.get('x-slack-signature') ?? '';
    return { caller: { kind: 'person', userId, mayWrite: true, signature } };
  }
}

/**
 * What a caller was shown, as a text that they can name again: an artifact of an issue, a conversation. It is signed, and
 * bound to its caller, so nobody can name what they were not shown.
 */
export interface Handles {
  seal(kind: 'artifact' | 'conversation', value: string, caller: Caller): string;
  /** `null` where it is not this caller's. */
  open(kind: 'artifact' | 'conversation', handle: string, caller: Caller): string | null;
}

export function createHandles(secret: string): Handles {
  const mac = (kind: string, value: string, caller: Caller) =>
    createHmac('sha256', secret)
      .update(`mcp ${kind} ${idOf(caller)} ${value}`)
      .digest()
      .subarray(0, 15);
  return {
    seal: (kind, value, caller) =>
      `${Buffer.from(value).toString('base64url')}.${mac(kind, value, caller).toString('base64url')}`,
    open: (kind, handle, caller) => {
      const [value = '', signature = ''] = handle
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      const text = Buffer.from(value, 'latin1').toString('utf8');
      const given = Buffer.from(signature, 'latin1');
      const own = mac(kind, text, caller);
      return given.length === own.length && timingSafeEqual(given, own) ? text : null;
    },
  };
}
