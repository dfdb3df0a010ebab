import { z } from 'zod';
import { parseJson } from '../../../lib/json.ts';
import { classifySlackError } from '../errors.ts';

const Disconnect = z.object({ type: z.literal('disconnect'), reason: z.string() });
const SECONDS = z
  .number()
  .min(10)
  .max(7 * 24 * 3600);
const Hello = z.object({
  type: z.literal('hello'),
  debug_info: z
    .object({ approximate_connection_time: SECONDS.nullish().catch(null) })
    .nullish()
    .catch(null),
});

/**
 * The reason in Slack's disconnect message (`warning`, `refresh_requested`, …); `null` for any other message on the socket.
 */
export function disconnectReason(data: unknown): string | null {
  return Disconnect.safeParse(parsed(data, '"disconnect"')).data?.reason ?? null;
}

/** Whether the reason is advance notice: until Slack closes the connection, it keeps taking deliveries. */
export function isNotice(reason: string): boolean {
  return reason === 'warning' || reason === 'refresh_requested';
}

/**
 * About how long a connection will last, in milliseconds, according to Slack's hello; `null` if it does not say, and
 * `undefined` for any other message on the socket.
 */
export function lifetimeOf(data: unknown): number | null | undefined {
  const hello = Hello.safeParse(parsed(data, '"hello"')).data;
  if (hello === undefined) return undefined;
  const seconds = hello.debug_info?.approximate_connection_time ?? null;
  return seconds === null ? null : seconds * 1_000;
}

/** Deliveries arrive here too; the check for the type avoids parsing them twice. */
function parsed(data: unknown, type: string): unknown {
  return typeof data === 'string' && data.slice(0, 200).includes(type) ? parseJson(data) : null;
}

/**
 * Why Slack will not give us a connection until somebody acts; `null` if it gives another one right away. Neither case
 * ends the process: Socket Mode can be switched on again while we wait, and other connections will close.
 */
export function lasting(reason: string): string | null {
  switch (reason) {
    case 'link_disabled':
      return 'Socket Mode is turned off in the app’s settings (link_disabled)';
    case 'too_many_websockets':
      return 'all ten connections that Slack allows an app are open: waiting for a free one. Is another copy running with this token? (too_many_websockets)';
    default:
      return null;
  }
}

/** A new connection on which Slack sent no hello, or that ended right after it. */
export class NoHelloError extends Error {
  override name = 'NoHelloError';
}

/** Why a connection could not be opened, for people. */
export function notConnecting(error: unknown): string {
  // The client names no reason for a socket that was closed before its hello.
  if (error === undefined || error instanceof NoHelloError)
    return 'Slack does not respond on a new connection';
  const failure = classifySlackError(error);
  switch (failure.kind) {
    case 'rate_limited':
      return 'Slack is rate-limiting connections';
    case 'unreachable':
      return 'cannot reach Slack';
    case 'refused':
    case 'token_refused':
      return `Slack rejected the connection (${failure.error})`;
    case 'ambiguous':
      return `Slack did not open a connection (${failure.error})`;
  }
}
