/**
 * One attempt of a call, for logs and metrics, or a call that the circuit breaker rejected. A streamed answer is
 * reported when its headers have arrived.
 */
export interface CallReport {
  operation: string;
  /** `null` if no response arrived. */
  status: number | null;
  ms: number;
  requestId: string | null;
  /** `ok`, or the name of the error's class. */
  outcome: string;
}
