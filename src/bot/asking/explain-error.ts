import {
  CircuitOpenError,
  RejectedError,
  type ServiceError,
  StreamFailedError,
  TimedOutError,
  UnreachableError,
} from '../../contract/client/errors.ts';
import { explainServiceError } from '../../contract/client/explain-error.ts';

/** Why a question got no answer, and what to do. Quotes the service: untrusted, to be escaped where it is shown. */
export function whyNotAnswered(error: unknown): string {
  if (error instanceof RejectedError && (error.status === 404 || error.status === 410)) {
    return `The investigation service does not take questions at the configured address (HTTP ${error.status}). Ask whoever operates Gumshoe to check ISSUE_SERVICE_URL.${requestOf(error)}`;
  }
  const why = explainServiceError(error);
  const saysWhatToDo = !(
    (error instanceof UnreachableError && error.ambiguous) ||
    error instanceof CircuitOpenError
  );
  return saysWhatToDo ? why : `${why} Try again in a few minutes.`;
}

/**
 * Why an answer ends before its end, and what to do.
 *
 * @param error `undefined` if the stream just ended
 */
export function whyBrokenOff(error: ServiceError | undefined): string {
  return `The answer was cut off${cause(error)}. Try again to get all of it.${error ? requestOf(error) : ''}`;
}

function cause(error: ServiceError | undefined): string {
  if (error instanceof TimedOutError) return ': it took too long';
  if (error instanceof UnreachableError) return ': the connection to the investigation service dropped';
  if (!(error instanceof StreamFailedError)) return '';
  const reason = (error.reason ?? '').trim().replace(/[.!\s]+$/u, '');
  return reason === '' ? ': the investigation service failed' : `: ${reason}`;
}

function requestOf(error: ServiceError): string {
  return error.requestId === null ? '' : ` (request ${error.requestId})`;
}
