import { isResponseAddress } from './addresses.ts';

const TIMEOUT_MS = 10_000;

/** A delivery asks for an answer at an address that is none of Slack's. The message does not bear the address. */
class ResponseAddressError extends Error {
  override name = 'ResponseAddressError';
}

/**
 * What is sent goes to Slack alone, to its Web API or a `response_url` on its host for hooks; no redirect is followed,
 * and no answer is waited for without end.
 */
export function respondingFetch(
  apiUrl: string,
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
  timeoutMs = TIMEOUT_MS,
): typeof globalThis.fetch {
  return async (url, init) => {
    const address = url instanceof Request ? url.url : String(url);
    if (!isResponseAddress(address, apiUrl))
      throw new ResponseAddressError('the response URL is not Slack’s; nothing is sent there');
    return fetch(url, {
      ...init,
      redirect: 'error',
      signal: init?.signal ?? AbortSignal.timeout(timeoutMs),
    });
  };
}
