import { describe, expect, test } from 'vitest';
import * as errorClasses from '../../../src/contract/client/errors.ts';
import {
  CancelledError,
  CircuitOpenError,
  KeyRefusedError,
  MissingKeyError,
  RateLimitedError,
  RejectedError,
  StreamFailedError,
  TimedOutError,
  UnreachableError,
  UnreadableAnswerError,
  UnsendableError,
} from '../../../src/contract/client/errors.ts';
import { explainServiceError } from '../../../src/contract/client/explain-error.ts';

const READ = { operation: 'issues.get', ambiguous: false };
const WRITE = { operation: 'issues.create', ambiguous: true };

function rejected(
  status: number,
  more: { reason?: string; details?: Record<string, string> } = {},
): RejectedError {
  return new RejectedError({
    ...READ,
    status,
    requestId: 'req_1',
    reason: more.reason ?? null,
    details: more.details ?? null,
    retryAfterMs: null,
  });
}

const SENTENCES: ReadonlyArray<readonly [unknown, string]> = [
  [
    rejected(422, { reason: 'Validation failed.', details: { title: 'too long' } }),
    'The investigation service rejected this: Validation failed (title: too long). Change it and try again. (request req_1)',
  ],
  [rejected(400), 'The investigation service rejected this. Change it and try again. (request req_1)'],
  [
    rejected(401),
    'The investigation service rejected our API key. Ask whoever operates Gumshoe to check ISSUE_SERVICE_API_KEY. (request req_1)',
  ],
  [
    new KeyRefusedError({ operation: 'issues.get', retryAfterMs: 0 }),
    'The investigation service rejected our API key. Ask whoever operates Gumshoe to check ISSUE_SERVICE_API_KEY.',
  ],
  [
    new MissingKeyError({ operation: 'issues.get' }),
    'This belongs to the organization for private channels, and Gumshoe has no API key for it. Ask whoever operates Gumshoe to set ISSUE_SERVICE_PRIVATE_API_KEY.',
  ],
  [
    rejected(403),
    "Our API key is not allowed to do this at the investigation service. Ask whoever operates Gumshoe to check the key's permissions. (request req_1)",
  ],
  [
    rejected(404),
    'The investigation service cannot find this. Check the number; it may have been deleted. (request req_1)',
  ],
  [
    rejected(503),
    'The investigation service returned an error (HTTP 503). Try again in a few minutes. (request req_1)',
  ],
  [
    rejected(503),
    'The investigation service returned an error (HTTP 503). Try again in a few minutes. (request req_1)',
  ],
  [
    rejected(302),
    'The investigation service redirected me elsewhere (HTTP 302). Ask whoever operates Gumshoe to check ISSUE_SERVICE_URL. (request req_1)',
  ],
  [
    new RateLimitedError({ operation: 'query.ask', retryAfterMs: 120_000, requestId: 'req_2' }),
    'The investigation service is rate-limiting me. Try again in 2 minutes. (request req_2)',
  ],
  [
    new RateLimitedError({ operation: 'query.ask', retryAfterMs: 400 }),
    'The investigation service is rate-limiting me. Try again in a second.',
  ],
  [
    new RateLimitedError({ operation: 'query.ask', retryAfterMs: null }),
    'The investigation service is rate-limiting me. Try again in a minute.',
  ],
  [
    new UnreachableError({ ...READ, code: 'ECONNREFUSED' }),
    'The investigation service is unreachable. Try again in a few minutes; if it persists, tell whoever operates Gumshoe.',
  ],
  [
    new UnreachableError({ ...WRITE, code: 'ECONNRESET' }),
    'The connection to the investigation service dropped before it answered.',
  ],
  [
    new TimedOutError({ ...WRITE, timeoutMs: 30_000 }),
    'The investigation service timed out. Try again in a few minutes.',
  ],
  [
    new UnreadableAnswerError({ ...READ, problem: 'the answer is not JSON', bodyExcerpt: '<html>' }),
    'The investigation service sent an answer Gumshoe cannot read. Ask whoever operates Gumshoe to check ISSUE_SERVICE_URL and the log.',
  ],
  [
    new StreamFailedError({ ...READ, operation: 'query.stream', reason: 'overloaded' }),
    'The investigation service cut off its answer: overloaded. Ask again.',
  ],
  [
    new CircuitOpenError({ operation: 'issues.get', retryAfterMs: 8_200 }),
    'The investigation service has been failing. Gumshoe retries in 9 seconds.',
  ],
  [
    new CircuitOpenError({ operation: 'issues.get', retryAfterMs: 0 }),
    'The investigation service has been failing. Gumshoe is retrying now.',
  ],
  [
    new UnsendableError({ operation: 'issues.create', details: { title: 'Too small' } }),
    'The investigation service does not accept this (title: Too small). Change it and try again.',
  ],
  [new CancelledError(WRITE), 'This was cancelled before the investigation service answered.'],
  [
    new Error('secret detail'),
    'Something went wrong in Gumshoe. Try again; if it keeps happening, tell whoever operates Gumshoe.',
  ],
  [
    'text',
    'Something went wrong in Gumshoe. Try again; if it keeps happening, tell whoever operates Gumshoe.',
  ],
];

describe('a failure in words for a person', () => {
  test.each(SENTENCES)('%s', (error, words) => {
    expect(explainServiceError(error)).toBe(words);
  });

  test('is there for every class of error', () => {
    const spoken = new Set(SENTENCES.map(([error]) => Object(error).constructor.name));
    const classes = Object.keys(errorClasses).filter(
      (name) => name.endsWith('Error') && name !== 'ServiceError',
    );
    expect(classes.filter((name) => !spoken.has(name))).toEqual([]);
  });
});
