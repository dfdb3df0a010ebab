import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/** With a port or without; a browser sends nothing else of such a name. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/iu;

/** On every answer of the page's server; what is a page has a policy of its own. */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The headers that say where a request comes from. */
type IncomingRequest = Pick<IncomingMessage, 'method' | 'headers'> & {
  socket: { remoteAddress?: string | undefined };
};

/**
 * Why a request may not be served, or nothing. The page has no passwords, so only this machine may speak to it, and in its
 * browser only the page itself: the `Host` must be local (a rebound DNS name is not), and another site may at most have
 * somebody follow a link here. `Sec-Fetch-Site` is a browser's own word; what sends none is no browser of today.
 */
export function rejectionOf(request: IncomingRequest): string | undefined {
  const { host = '', origin } = request.headers;
  if (!isLoopback(request.socket.remoteAddress)) return 'The page is only available on this machine.';
  if (!LOCAL.test(host)) return 'Open the page at http://localhost: other host names are refused.';
  if (origin !== undefined && URL.parse(origin)?.host !== host)
    return 'Requests from other sites are refused.';
  return fromElsewhere(request) && !isFollowedLink(request)
    ? 'Requests from other sites are refused.'
    : undefined;
}

function isLoopback(address: string | undefined): boolean {
  const bare = address?.replace(/^::ffff:/u, '') ?? '';
  return bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
}

function fromElsewhere({ headers }: IncomingRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function isFollowedLink({ method, headers }: IncomingRequest): boolean {
  return (
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  );
}
