import { createHmac, timingSafeEqual } from 'node:crypto';
import { MAX_SKEW_MS, type WebhookRequest } from './request.ts';

/** How a tool signs: which signatures it sends, and over which bytes. */
interface Signing {
  /** The signatures in hexadecimal digits, of which one must be right. */
  signatures(headers: WebhookRequest['headers']): string[];
  /** What stands before the body in the signed text; `null` if the request is too old, or from the future. */
  prefix(headers: WebhookRequest['headers'], nowMs: number): string | null;
}

const noPrefix = () => '';

/** A Grafana webhook states a time if its contact point names a header for that; the signature then covers it. */
const grafana: Signing = {
  signatures: (headers) => listed(headers['x-grafana-alerting-signature']),
  prefix: (headers, nowMs) => {
    const timestamp = headers['x-grafana-alerting-timestamp'];
    if (timestamp === undefined) return '';
    if (!/^\d{1,12}$/u.test(timestamp)) return null;
    return Math.abs(Number(timestamp) * 1_000 - nowMs) > MAX_SKEW_MS ? null : `${timestamp}:`;
  },
};

const tools: Readonly<Record<string, Signing>> = {
  grafana,
  pagerduty: {
    signatures: (headers) => listed(headers['x-pagerduty-signature'], 'v1='),
    prefix: noPrefix,
  },
  sentry: { signatures: (headers) => listed(headers['sentry-hook-signature']), prefix: noPrefix },
};

/** Any other source: as GitHub and many more sign (`X-Signature-256: sha256=…`), or bare in `X-Signature`. */
const other: Signing = {
  signatures: (headers) => [
    ...listed(headers['x-signature-256'], 'sha256='),
    ...listed(headers['x-hub-signature-256'], 'sha256='),
    ...listed(headers['x-signature']),
  ],
  prefix: noPrefix,
};

/** Whether one of the secrets has signed this very body with HMAC-SHA256, as the source does it. */
export function isSignedBy(
  source: string,
  { headers, body }: WebhookRequest,
  secrets: readonly string[],
  nowMs: number,
): boolean {
  const signing = Object.hasOwn(tools, source) ? (tools[source] ?? other) : other;
  const prefix = signing.prefix(headers, nowMs);
  if (prefix === null) return false;
  const signatures = signing.signatures(headers).map((hex) => Buffer.from(hex, 'hex'));
  // All are compared, so that the time does not tell which secret, or how many there are, came close.
  const matches = secrets.flatMap((secret) => {
    const digest = createHmac('sha256', secret).update(prefix).update(body).digest();
    return signatures.map((signature) => timingSafeEqual(digest, signature));
  });
  return matches.includes(true);
}

/** More than a tool sends while its secret is being replaced. */
const MOST = 10;

/** The well-formed signatures of a header, which separates several by commas. */
function listed(header: string | undefined, prefix = ''): string[] {
  return (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length))
    .filter((hex) => /^[0-9a-f]{64}$/iu.test(hex))
    .slice(0, MOST);
}
