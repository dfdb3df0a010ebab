import { describe, expect, it } from 'vitest';
import { whyBrokenOff, whyNotAnswered } from '../../../src/bot/asking/answer.ts';
import {
  CircuitOpenError,
  RateLimitedError,
  RejectedError,
  StreamFailedError,
  UnreachableError,
} from '../../../src/contract/client/errors.ts';

const facts = { operation: 'query.stream', ambiguous: false, requestId: 'req_1' };
const status = (code: number) =>
  new RejectedError({ ...facts, status: code, reason: null, retryAfterMs: null });

describe('why there is no answer', () => {
  it.each([
    [
      status(404),
      'The investigation service does not take questions at the configured address (HTTP 404). Ask whoever operates Gumshoe to check ISSUE_SERVICE_URL. (request req_1)',
    ],
    [
      status(500),
      'The investigation service returned an error (HTTP 500). Try again in a few minutes. (request req_1)',
    ],
    [
      new RateLimitedError({ ...facts, retryAfterMs: 5_000 }),
      'The investigation service is rate-limiting me. Try again in 5 seconds. (request req_1)',
    ],
    [
      new UnreachableError({ ...facts, ambiguous: true, code: 'ECONNRESET', requestId: null }),
      'The connection to the investigation service dropped before it answered. Try again in a few minutes.',
    ],
    [
      new CircuitOpenError({ operation: 'query.stream', retryAfterMs: 5_000 }),
      'The investigation service has been failing. Gumshoe retries in 5 seconds. Try again in a few minutes.',
    ],
    [
      new Error('SQLITE_FULL at /srv/gumshoe.db'),
      'Something went wrong in Gumshoe. Try again; if it keeps happening, tell whoever operates Gumshoe.',
    ],
  ])('is said of %s, with what to do', (error, words) => {
    expect(whyNotAnswered(error)).toBe(words);
  });
});

describe('why an answer broke off', () => {
  it('is not said where nobody knows', () => {
    expect(whyBrokenOff(undefined)).toBe('The answer was cut off. Try again to get all of it.');
  });

  it('is said even where the service gives no reason', () => {
    expect(whyBrokenOff(new StreamFailedError({ ...facts, reason: ' . ' }))).toBe(
      'The answer was cut off: the investigation service failed. Try again to get all of it. (request req_1)',
    );
  });
});
