import { z } from 'zod';
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
 * Why Slack says that it ends a connection (`warning`, `refresh_requested`, …); `null` for any other message of the
 * socket's.
 */
export function saidAtTheEnd(data: unknown): string | null {
  return Disconnect.safeParse(parsed(data, '"disconnect"')).data?.reason ?? null;
}

/** Whether Slack only announces the end: until it comes, the connection goes on taking deliveries. */
export function isComing(reason: string): boolean {
  return reason === 'warning' || reason === 'refresh_requested';
}

/**
 * For about how long a connection lasts, in milliseconds, as Slack says in its hello; `null` where it does not say, and
 * `undefined` for any other message of the socket's.
 */
export function lifetimeOf(data: unknown): number | null | undefined {
  const hello = Hello.safeParse(parsed(data, '"hello"')).data;
  if (hello === undefined) return undefined;
  const seconds = hello.debug_info?.approximate_connection_time ?? null;
  return seconds === null ? null : seconds * 1_000;
}

/** Deliveries come here too: they are not to be parsed twice. */
function parsed(data: unknown, type: string): unknown {
  if (typeof data !== 'string' || !data.slice(0, 200).includes(type)) return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/**
 * What keeps Slack from giving us a connection until somebody does something about it; `null` where it gives another
 * one at once. Neither ends the process: Socket Mode is a switch that can be turned on again while we wait, and other
 * connections come to their end.
 */
export function lasting(reason: string): string | null {
  switch (reason) {
    case 'link_disabled':
      return 'Socket Mode is turned off in the app’s settings (link_disabled)';
    case 'too_many_websockets':
      return 'too many open connections for this app; is another copy running with this token? (too_many_websockets)';
    default:
      return null;
  }
}

/** Why a connection could not be had, in words. */
export function notConnecting(error: unknown): string {
  // The client names no reason for a socket that was closed before its hello.
  if (error === undefined) return 'Slack does not respond on a new connection';
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
