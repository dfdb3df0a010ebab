import { createHash, timingSafeEqual } from 'node:crypto';
import type { WebhookRequest } from './request.ts';

/** Whether a request carries the token: `Authorization: Bearer`, or the password of basic authentication with any user. */
export function hasToken({ headers }: Pick<WebhookRequest, 'headers'>, token: string): boolean {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(\S+)$/u.exec(headers.authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return isSame(credentials, token);
  if (scheme.toLowerCase() !== 'basic') return false;
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon !== -1 && isSame(decoded.slice(colon + 1), token);
}

/** Compares digests, so that the time tells nothing, not even the length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
