/** An error in Slack's terms: it becomes `{ ok: false, error: code, ...extra }`. */
export class SlackError extends Error {
  override name = 'SlackError';
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;
  /** Seconds to wait; set only on `ratelimited`, which is HTTP 429. */
  readonly retryAfter: number | undefined;

  constructor(code: string, extra: Readonly<Record<string, unknown>> = {}, retryAfter?: number) {
    super(code);
    this.code = code;
    this.extra = extra;
    this.retryAfter = retryAfter;
  }
}

/** A person's action that is not possible; `message` is a sentence for them. */
export class PersonError extends Error {
  override name = 'PersonError';
}
