import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { z } from 'zod';

/** An SNS message may be delivered late, but not much later. */
const WINDOW_MS = 60 * 60_000;
/** Amazon replaces the certificate now and then; regions differ. */
const MOST_CERTIFICATES = 20;

const AMAZON = /^sns\.[a-z]{2}(?:-[a-z]+){1,3}-\d\.amazonaws\.com(?:\.cn)?$/u;

const SnsMessage = z.looseObject({
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
export interface SignedFields {
  Type: SnsMessage['Type'];
  Message: string;
  MessageId: string;
  Subject?: string | null | undefined;
  SubscribeURL?: string | undefined;
  Timestamp: string;
  Token?: string | undefined;
  TopicArn: string;
}

/** Reads an address of Amazon's. @throws if it does not answer with 200 */
export type FetchText = (url: string) => Promise<string>;

/** The SNS message of a body; `null` if it is none. */
export function readSnsMessage(body: Buffer): SnsMessage | null {
  try {
    return SnsMessage.safeParse(JSON.parse(body.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
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

/** Verifies the signatures of SNS. Each certificate is fetched once. */
export function createSnsVerifier(fetchText: FetchText) {
  const keys = new Map<string, Promise<KeyObject>>();

  /** @throws if the certificate cannot be fetched */
  function keyOf(address: string): Promise<KeyObject> {
    const known = keys.get(address);
    if (known !== undefined) return known;
    const fetched = fetchText(address).then((pem) => new X509Certificate(pem).publicKey);
    keys.set(address, fetched);
    fetched.catch(() => keys.delete(address));
    const [oldest] = keys.keys();
    if (keys.size > MOST_CERTIFICATES && oldest !== undefined) keys.delete(oldest);
    return fetched;
  }

  /**
   * Whether Amazon has signed the message within the last hour.
   *
   * @throws if the certificate cannot be fetched
   */
  return async (message: SnsMessage, nowMs: number): Promise<boolean> => {
    const address = URL.parse(message.SigningCertURL);
    if (address === null || !isAmazonSns(message.SigningCertURL) || !address.pathname.endsWith('.pem')) {
      return false;
    }
    // `NaN` where the time cannot be read, which is not within the window either.
    if (!(Math.abs(Date.parse(message.Timestamp) - nowMs) <= WINDOW_MS)) return false;
    address.search = '';
    address.hash = '';
    const key = await keyOf(address.href);
    const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256';
    return verify(algorithm, Buffer.from(signedText(message)), key, Buffer.from(message.Signature, 'base64'));
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
