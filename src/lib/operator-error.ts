/**
 * A failure that the operator can fix: the message says what happened and what to do, and is shown without a stack
 * trace.
 */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
