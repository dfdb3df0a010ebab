import { LogLevel, type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from '../shared/log.ts';
import { tracedCall } from '../shared/tracing/spans.ts';
import { boltLogger } from './bolt-logger.ts';

const CALL_TIMEOUT_MS = 20_000;

export interface SlackClientOptions {
  token: string;
  /** Slack's own, or the local workspace's. */
  apiUrl: string;
  log: Logger;
  fetch?: WebClientOptions['fetch'];
  /** Called for each failed call, before its caller learns of it. */
  onFailure?: (error: unknown) => void;
}

/** Every method of the client goes through `apiCall`: each call is traced, and no failure stays unseen. */
class WatchedClient extends WebClient {
  readonly #onFailure: (error: unknown) => void;

  constructor(token: string, options: WebClientOptions, onFailure: (error: unknown) => void) {
    super(token, options);
    this.#onFailure = onFailure;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    try {
      return await tracedCall(`slack ${method}`, {}, () => super.apiCall(method, options));
    } catch (error) {
      this.#onFailure(error);
      throw error;
    }
  }
}

/**
 * Options of every Web API client here. Its own retries are off: a repeated post could double a message,
 * and a 429 would stop its whole queue; both are the outbox's business.
 * A fresh object each time, because Bolt's Socket Mode writes into it.
 */
export function clientOptions(options: Omit<SlackClientOptions, 'token'>): WebClientOptions {
  return {
    slackApiUrl: options.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: CALL_TIMEOUT_MS,
    // The token goes to no address but that of the Web API.
    allowAbsoluteUrls: false,
    logger: boltLogger(options.log),
    logLevel: LogLevel.WARN,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  };
}

export function createSlackClient(options: SlackClientOptions): WebClient {
  const { token, onFailure } = options;
  if (onFailure === undefined) return new WebClient(token, clientOptions(options));
  return new WatchedClient(token, clientOptions(options), onFailure);
}
