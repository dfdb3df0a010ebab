import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Whether Slack signed this body of a request of the web's own type, as `createGuard` does it. */
export function signedBySlack(
  headers: Headers,
  body: string,
  signingSecrets: readonly string[],
  nowMs: number,
): boolean {
  const signed = signedBy(Object.fromEntries(headers), nowMs);
  return signed !== null && signingSecrets.some((secret) => isSigned(Buffer.from(body), signed, secret));
}

const MAX_SKEW_SECONDS = 5 * 60;

export interface Signed {
  /** Exactly as sent, because it is part of what is signed. */
  timestamp: string;
  signature: string;
}

/** The signature headers; `null` if they are missing, malformed, too old or in the future. */
export function signedBy(headers: IncomingHttpHeaders, nowMs: number): Signed | null {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return null;
  if (!/^\d{1,12}$/u.test(timestamp) || !/^v0=[0-9a-f]{64}$/u.test(signature)) return null;
  return Math.abs(Number(timestamp) - nowMs / 1000) > MAX_SKEW_SECONDS ? null : { timestamp, signature };
}

/** Whether Slack signed these very bytes, compared in constant time. */
export function isSigned(body: Buffer, { timestamp, signature }: Signed, signingSecret: string): boolean {
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest();
  return timingSafeEqual(digest, Buffer.from(signature.slice('v0='.length), 'hex'));
}
