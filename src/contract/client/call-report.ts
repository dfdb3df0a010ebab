/**
 * One attempt of a call, for logs and metrics, or a call that the circuit breaker did not let through. A
 * streamed answer is reported when its head has arrived.
 */
export interface CallReport {
  operation: string;
  /** `null` where no answer arrived. */
  status: number | null;
  ms: number;
  requestId: string | null;
  /** `ok`, or the name of the error's class. */
  outcome: string;
}
