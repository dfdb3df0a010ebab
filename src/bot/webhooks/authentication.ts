import {
  createHash,
  createHmac,
  type KeyObject,
  timingSafeEqual,
  verify,
  X509Certificate,
} from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { hasTooManyValues } from '../alerts/payload.ts';
import type { WebhookSettings } from '../config.ts';

type Secrets = Pick<WebhookSettings, 'token' | 'secrets' | 'topics'>;

/** Authenticates webhooks. A source without a secret is off. */
export interface Authentication {
  /** Whether anything can prove that a webhook is the source's. */
  isOn(source: string): boolean;
  /** Whether a request with these headers may be genuine; if not, its body need not be read. */
  canAuthenticate(source: string, headers: WebhookRequest['headers']): boolean;
  /**
   * What proves that the source sent this request; `null` if nothing does.
   *
   * @throws if a certificate of Amazon's is not here yet
   */
  proofOf(source: string, request: WebhookRequest): Promise<Proof | null>;
}

export interface Proof {
  /** What was signed: the same again is a replay. `null` if a token is the proof. */
  signed: string | Buffer | null;
  /** Whether the signature covers when it was made, which has been checked. */
  isTimed: boolean;
}

const SNS = 'cloudwatch';

/**
 * By the secrets that are set: signatures of SNS for CloudWatch, otherwise the source's own signature, otherwise the
 * token that all sources share.
 */
export function createAuthentication({
  settings: { token, secrets, topics },
  clock,
  fetchText,
}: {
  settings: Secrets;
  clock: Clock;
  fetchText: FetchText;
}): Authentication {
  const isFromAmazon = createSnsVerifier(fetchText);
  const bearsToken = (request: Pick<WebhookRequest, 'headers'>) => token !== null && hasToken(request, token);

  async function proofOfSns(request: WebhookRequest): Promise<Proof | null> {
    const message = readSnsMessage(request.body);
    if (message === null) return null;
    const isKnown = bearsToken(request);
    if (!isKnown && !topics.includes(message.TopicArn)) return null;
    const isGenuine = await isFromAmazon(message, clock.now(), { mayWait: isKnown });
    // Its other fields are not signed, so the body of a replay may differ.
    return isGenuine ? { signed: signedText(message), isTimed: true } : null;
  }

  return {
    isOn: (source) => (source === SNS && topics.length > 0) || token !== null || isSigned(source),
    canAuthenticate: (source, headers) => source === SNS || isSigned(source) || bearsToken({ headers }),
    proofOf: async (source, request) => {
      if (source === SNS) return proofOfSns(request);
      const own = secrets.get(source);
      if (own !== undefined) return signatureOf(source, request, own, clock.now());
      return bearsToken(request) ? { signed: null, isTimed: false } : null;
    },
  };

  function isSigned(source: string): boolean {
    return source !== SNS && secrets.has(source);
  }
}

/** What a webhook's proof of its sender is checked against. */
interface WebhookRequest {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Exactly as it arrived, because signatures are made over these bytes. */
  body: Buffer;
}

/** How far the clock of a sender that states a time may be off, before or after ours. */
const MAX_SKEW_MS = 5 * 60_000;

/** How a tool signs: which signatures it sends, and over which bytes. */
interface Signing {
  /** The signatures in hexadecimal digits, of which one must be right. */
  signatures(headers: WebhookRequest['headers']): string[];
  /** The text before the body in the signed text; `null` if the request is too old, or from the future. */
  prefix(request: WebhookRequest, nowMs: number): string | null;
}

const noPrefix = () => '';

/** A Grafana webhook states a time if its contact point names a header for that; the signature then covers it. */
const grafana: Signing = {
  signatures: (headers) => valuesIn(headers['x-grafana-alerting-signature']),
  prefix: ({ headers, body }, nowMs) => {
    const timestamp = headers['x-grafana-alerting-timestamp'];
    // The same bytes are signed where the time is in the body: an old request without its header.
    if (timestamp === undefined) return /^\d{1,12}:/u.test(body.toString('latin1', 0, 13)) ? null : '';
    if (!/^\d{1,12}$/u.test(timestamp)) return null;
    return Math.abs(Number(timestamp) * 1_000 - nowMs) > MAX_SKEW_MS ? null : `${timestamp}:`;
  },
};

const tools: Readonly<Record<string, Signing>> = {
  grafana,
  pagerduty: {
    signatures: (headers) => valuesIn(headers['x-pagerduty-signature'], 'v1='),
    prefix: noPrefix,
  },
  sentry: { signatures: (headers) => valuesIn(headers['sentry-hook-signature']), prefix: noPrefix },
};

/** Any other source: as GitHub and many more sign (`X-Signature-256: sha256=…`), or bare in `X-Signature`. */
const other: Signing = {
  signatures: (headers) => [
    ...valuesIn(headers['x-signature-256'], 'sha256='),
    ...valuesIn(headers['x-hub-signature-256'], 'sha256='),
    ...valuesIn(headers['x-signature']),
  ],
  prefix: noPrefix,
};

/** The proof that one of the secrets has signed this very body with HMAC-SHA256, as the source does it. */
function signatureOf(
  source: string,
  { headers, body }: WebhookRequest,
  secrets: readonly string[],
  nowMs: number,
): Proof | null {
  const signing = Object.hasOwn(tools, source) ? (tools[source] ?? other) : other;
  const prefix = signing.prefix({ headers, body }, nowMs);
  if (prefix === null) return null;
  const signatures = signing.signatures(headers).map((hex) => Buffer.from(hex, 'hex'));
  // All are compared, so that the time does not tell which secret, or how many there are, came close.
  const matches = secrets.flatMap((secret) => {
    const digest = createHmac('sha256', secret).update(prefix).update(body).digest();
    return signatures.map((signature) => timingSafeEqual(digest, signature));
  });
  if (!matches.includes(true)) return null;
  return { signed: Buffer.concat([Buffer.from(prefix), body]), isTimed: prefix !== '' };
}

/** More than a tool sends while its secret is being replaced. */
const MOST = 10;

/** The well-formed signatures of a header, which separates several by commas. */
function valuesIn(header: string | undefined, prefix = ''): string[] {
  return (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length))
    .filter((hex) => /^[0-9a-f]{64}$/iu.test(hex))
    .slice(0, MOST);
}

/** An SNS message may be delivered late, but not much later. */
const WINDOW_MS = 60 * 60_000;
/** Amazon replaces the certificate now and then; regions differ. */
const MOST_CERTIFICATES = 10;
/** That wait to be fetched, one at a time. */
const MOST_WAITING = 8;
/** A message of SNS has about ten. */
const MOST_SNS_VALUES = 100;

const AMAZON = /^sns\.[a-z]{2}(?:-[a-z]+){1,3}-\d\.amazonaws\.com(?:\.cn)?$/u;

const SnsMessage = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  Message: z.string(),
  MessageId: z.string(),
  Subject: z.string().nullish(),
  SubscribeURL: z.string().optional(),
  Timestamp: z.string(),
  Token: z.string().optional(),
  TopicArn: z.string(),
  Signature: z.string(),
  SignatureVersion: z.enum(['1', '2']),
  SigningCertURL: z.string(),
});
type SnsMessage = z.infer<typeof SnsMessage>;

/** What a signature of SNS covers. */
type SignedFields = Omit<SnsMessage, 'Signature' | 'SignatureVersion' | 'SigningCertURL'>;

/** Reads an address of Amazon's. @throws if it does not answer with 200 */
export type FetchText = (url: string) => Promise<string>;

/** The SNS message of a body; `null` if it is not one. */
function readSnsMessage(body: Buffer): SnsMessage | null {
  const text = body.toString('utf8');
  if (hasTooManyValues(text, MOST_SNS_VALUES)) return null;
  const message = decodeStored(SnsMessage, text);
  return message !== null && isCertificate(message.SigningCertURL) ? message : null;
}

/** Whether an address can be one of SNS's certificates; nothing else is ever fetched to verify a message with. */
function isCertificate(address: string): boolean {
  const url = URL.parse(address);
  return isAmazonSns(address) && /^\/SimpleNotificationService-\w{1,64}\.pem$/u.test(url?.pathname ?? '');
}

/** Whether an address is one of SNS itself, over HTTPS. */
export function isAmazonSns(address: string): boolean {
  const url = URL.parse(address);
  return (
    url?.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    AMAZON.test(url.hostname)
  );
}

/**
 * Verifies the signatures of SNS. Certificates are fetched one at a time, and kept. Strangers can name ever new ones, so a
 * message of theirs never waits: it is sent again. A certificate that has verified a message is given up last.
 */
function createSnsVerifier(fetchText: FetchText) {
  const keys = new Map<string, { key: KeyObject; isProven: boolean }>();
  const waiting = new Map<string, Promise<KeyObject>>();
  let last: Promise<unknown> = Promise.resolve();

  /** @throws if too many are waiting */
  function fetchKey(address: string): Promise<KeyObject> {
    const underWay = waiting.get(address);
    if (underWay !== undefined) return underWay;
    if (waiting.size >= MOST_WAITING) throw new Error('too many certificates are being fetched');
    const fetched = last.then(async () => new X509Certificate(await fetchText(address)).publicKey);
    waiting.set(address, fetched);
    last = fetched
      .then((key) => {
        const leaves = [...keys].find(([, { isProven }]) => !isProven) ?? [...keys][0];
        if (keys.size >= MOST_CERTIFICATES && leaves !== undefined) keys.delete(leaves[0]);
        keys.set(address, { key, isProven: false });
      })
      // Whoever asked is answered by `fetched`, or asks again.
      .catch(() => undefined)
      .finally(() => waiting.delete(address));
    return fetched;
  }

  /**
   * Whether Amazon has signed the message within the last hour.
   *
   * @throws if the certificate is not here yet
   */
  return async (message: SnsMessage, nowMs: number, { mayWait }: { mayWait: boolean }): Promise<boolean> => {
    // `NaN` where the time cannot be read, which is not within the window either.
    if (!(Math.abs(Date.parse(message.Timestamp) - nowMs) <= WINDOW_MS)) return false;
    const address = new URL(message.SigningCertURL);
    address.search = '';
    address.hash = '';
    const { href } = address;
    const kept = keys.get(href);
    const fetched = kept === undefined ? fetchKey(href) : null;
    if (fetched !== null && !mayWait) {
      fetched.catch(() => undefined);
      throw new Error(`the certificate ${href} is being fetched`);
    }
    const key = kept?.key ?? (await fetched);
    if (key === null) return false;
    const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256';
    const signature = Buffer.from(message.Signature, 'base64');
    const isGenuine = verify(algorithm, Buffer.from(signedText(message)), key, signature);
    const entry = keys.get(href);
    if (isGenuine && entry !== undefined) entry.isProven = true;
    return isGenuine;
  };
}

/** The fields in the order in which SNS signs them, each name and value on a line. */
export function signedText(message: SignedFields): string {
  const fields: [string, string | null | undefined][] =
    message.Type === 'Notification'
      ? [['Subject', message.Subject]]
      : [['SubscribeURL', message.SubscribeURL]];
  const token: [string, string | undefined][] =
    message.Type === 'Notification' ? [] : [['Token', message.Token]];
  return [
    ['Message', message.Message],
    ['MessageId', message.MessageId],
    ...fields,
    ['Timestamp', message.Timestamp],
    ...token,
    ['TopicArn', message.TopicArn],
    ['Type', message.Type],
  ]
    .flatMap(([name, value]) => (value === null || value === undefined ? [] : [`${name}\n${value}\n`]))
    .join('');
}

/** Whether a request carries the token: `Authorization: Bearer`, or the password of basic authentication with any user. */
function hasToken({ headers }: Pick<WebhookRequest, 'headers'>, token: string): boolean {
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
