/** What a webhook's proof of its sender is checked against. */
export interface WebhookRequest {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Exactly as it arrived, because signatures are made over these bytes. */
  body: Buffer;
}

/** How far the clock of a sender that states a time may be off, before or after ours. */
export const MAX_SKEW_MS = 5 * 60_000;
