import { timeoutSignal } from '../../lib/clock.ts';
import { isLoopback } from '../shared/loopback.ts';
import type { Fetch } from '../tickets/tracker.ts';

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 500_000;
const MOST_REDIRECTS = 3;

/**
 * Whether an address of an alert may be fetched: its host is in `RUNBOOK_HOSTS`, and by HTTPS, so that whoever answers has that
 * host's certificate, wherever its name leads.
 */
export function mayFetch(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe && hosts.includes(url.host.toLowerCase());
}

/** The Markdown at an address that may be fetched. @throws Error that says why there is none */
export async function fetchPage(
  address: string,
  hosts: readonly string[],
  { fetch, signal }: { fetch: Fetch; signal?: AbortSignal },
): Promise<string> {
  const within = timeoutSignal(TIMEOUT_MS, signal);
  let at = address;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    if (!mayFetch(at, hosts)) throw new Error('it redirects to a host that is not in RUNBOOK_HOSTS');
    const response = await fetch(at, {
      headers: { accept: 'text/markdown, text/plain', 'user-agent': 'gumshoe' },
      redirect: 'manual',
      signal: within,
    });
    const next = URL.parse(response.headers.get('location') ?? '', at);
    if (response.status >= 300 && response.status < 400 && next !== null) {
      await response.body?.cancel();
      if (next.origin !== new URL(at).origin) throw new Error('it redirects to another host');
      at = next.href;
      continue;
    }
    const type = response.headers.get('content-type') ?? 'text/plain';
    if (!response.ok || !/^text\/(?:plain|markdown|x-markdown)\b/iu.test(type)) {
      await response.body?.cancel();
      throw new Error(
        response.ok
          ? `it is ${type.split(';')[0]}, and only Markdown is read`
          : `the host answers with ${response.status}`,
      );
    }
    return upTo(MAX_BYTES, response);
  }
  throw new Error('it redirects too often');
}

async function upTo(most: number, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) throw new Error(`it is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
