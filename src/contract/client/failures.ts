import { errors } from 'undici';
import type { z } from 'zod';
import { ErrorBody } from '../schema/error.ts';
import { decode } from './decode.ts';
import {
  CancelledError,
  RateLimitedError,
  RejectedError,
  type ServiceError,
  TimedOutError,
  UnreachableError,
} from './errors.ts';
import { parseJson } from './json.ts';

const PartialErrorBody = ErrorBody.partial();

const EXCERPT_LENGTH = 200;
const REASON_LENGTH = 500;

/** Codes of failures that come before a request is sent, so that nothing can have happened. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Which call failed, and whether it changes anything at the service. */
export interface FailedCall {
  operation: string;
  hasEffect: boolean;
}

/** An answer that is no success, with its body read. */
export interface FailedAnswer {
  status: number;
  requestId: string | null;
  retryAfterMs: number | null;
  text: string;
}

/** The one place where an HTTP status becomes an error (contract, section 7). */
export function failureOfStatus(call: FailedCall, answer: FailedAnswer): ServiceError {
  const body = errorBody(answer.text);
  const facts = {
    operation: call.operation,
    status: answer.status,
    type: body?.type ?? null,
    requestId: body?.request_id ?? answer.requestId,
    details: body?.details ?? null,
    bodyExcerpt: body?.message === undefined ? excerpt(answer.text) : null,
    retryAfterMs: answer.retryAfterMs,
  };
  if (answer.status === 429) return new RateLimitedError(facts);
  return new RejectedError({
    ...facts,
    ambiguous: call.hasEffect && (answer.status >= 500 || answer.status === 408),
    reason: body?.message?.slice(0, REASON_LENGTH) ?? null,
  });
}

/** The one place where a failure of the network becomes an error. */
export function failureOfNetwork(
  call: FailedCall,
  error: unknown,
  state: { cancelled: boolean; timedOut: boolean; timeoutMs: number },
): ServiceError {
  const facts = { operation: call.operation, ambiguous: call.hasEffect, cause: error };
  if (state.cancelled) return new CancelledError(facts);
  if (
    state.timedOut ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  ) {
    return new TimedOutError({ ...facts, timeoutMs: state.timeoutMs });
  }
  const code = codeOf(error);
  const sent = !(NEVER_SENT.has(code ?? '') || refusedByProxy(error));
  return new UnreachableError({ ...facts, ambiguous: call.hasEffect && sent, code });
}

/** The beginning of an answer, for the log. */
export function excerpt(text: string): string {
  return text.slice(0, EXCERPT_LENGTH);
}

/** What can be read of an error body, even where it lacks what the contract requires; `null` if it is none. */
function errorBody(text: string): z.infer<typeof PartialErrorBody> | null {
  const decoded = decode(PartialErrorBody, parseJson(text));
  return decoded.ok ? decoded.value : null;
}

/** The proxy's refusal has no code of its own, only that of any aborted request. */
function refusedByProxy(error: unknown): boolean {
  return error instanceof errors.RequestAbortedError && error.message.startsWith('Proxy response (');
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
