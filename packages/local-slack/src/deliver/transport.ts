/** The old way to tell that a delivery is Slack's, before signatures; still in every payload. */
export const VERIFICATION_TOKEN = 'local-verification-token';

/** What is delivered: Socket Mode's own names for it. */
export type EnvelopeKind = 'events_api' | 'slash_commands' | 'interactive';

/** Which attempt this is, from the second on. */
export interface Retry {
  /** 1 to 3. */
  attempt: number;
  reason: string;
}

/** What became of one delivery. `body` is what the app answered: an object, or nothing. */
export type Ack =
  | { ok: true; body: Record<string, unknown> | undefined }
  | { ok: false; reason: FailureReason; noRetry?: boolean };

/** Slack's words for why a delivery failed. */
export type FailureReason = 'timeout' | 'connection_failed' | 'http_error';

/** A way to the app: Socket Mode or signed HTTP. */
export interface Transport {
  /** Whether anything takes deliveries now. */
  online(): boolean;
  /** Delivers once and waits at most 3 seconds for the acknowledgement. Never rejects. */
  deliver(kind: EnvelopeKind, payload: object, retry?: Retry): Promise<Ack>;
}
