import type { Clock } from '../../lib/clock.ts';
import type { WebhookSettings } from '../config.ts';
import type { WebhookRequest } from './authentication/request.ts';
import { isSignedBy } from './authentication/signature.ts';
import { createSnsVerifier, type FetchText, readSnsMessage } from './authentication/sns.ts';
import { hasToken } from './authentication/token.ts';

type Secrets = Pick<WebhookSettings, 'token' | 'secrets' | 'topics'>;

/** Authenticates webhooks. A source without a secret is off. */
export interface Authentication {
  /** Whether anything can prove that a webhook is the source's. */
  isOn(source: string): boolean;
  /** Whether the headers alone show that it is not: the body then need not be read. */
  isHopeless(source: string, headers: WebhookRequest['headers']): boolean;
  /**
   * Whether the source sent this request.
   *
   * @throws if a certificate of Amazon's cannot be fetched now
   */
  isGenuine(source: string, request: WebhookRequest): Promise<boolean>;
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

  async function isGenuineSns(request: WebhookRequest): Promise<boolean> {
    const message = readSnsMessage(request.body);
    if (message === null) return false;
    // Before the certificate, which strangers must not have us fetch.
    if (!topics.includes(message.TopicArn) && !bearsToken(request)) return false;
    return isFromAmazon(message, clock.now());
  }

  return {
    isOn: (source) => (source === SNS && topics.length > 0) || token !== null || isSigned(source),
    isHopeless: (source, headers) => source !== SNS && !isSigned(source) && !bearsToken({ headers }),
    isGenuine: async (source, request) => {
      if (source === SNS) return isGenuineSns(request);
      const own = secrets.get(source);
      return own === undefined ? bearsToken(request) : isSignedBy(source, request, own, clock.now());
    },
  };

  function isSigned(source: string): boolean {
    return source !== SNS && secrets.has(source);
  }
}
