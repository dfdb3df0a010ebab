import { OperatorError } from '../../lib/io.ts';

/** Why the database cannot be used: says what to do, and is shown without a stack trace. */
export class StoreError extends OperatorError {
  override name = 'StoreError';
}
