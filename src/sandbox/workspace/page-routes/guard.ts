import type { IncomingMessage } from 'node:http';

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

function hostname(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname;
}

/**
 * Why a request may not be served, or nothing. The page has no passwords, so only this machine's own
 * browser pages may speak to it: the `Host` must be local (a rebound DNS name is not), and what
 * changes something must come from the page itself, or from no page.
 */
export function refusal(request: IncomingMessage): string | undefined {
  const { host = '', origin } = request.headers;
  if (!LOCAL.has(hostname(host) ?? '')) return 'Open the page at http://localhost: other names are refused.';
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (origin !== undefined && URL.parse(origin)?.host !== host) return 'Another site may not post here.';
  return undefined;
}
