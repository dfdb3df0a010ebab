/**
 * Reads a `Retry-After` header (RFC 9110: seconds, or an HTTP date) as milliseconds from `now`
 * (milliseconds since the epoch); `null` if there is none or it says nothing.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Math.ceil(Number(text) * 1000);
  if (!/^[A-Za-z]/u.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
