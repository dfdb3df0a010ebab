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
    'The investigation service does not accept our API key. Ask whoever runs Gumshoe to check ISSUE_SERVICE_API_KEY. (request req_1)',
  ],
  [
    new KeyRefusedError({ operation: 'issues.get', refusal: 401, retryAfterMs: 0 }),
    'The investigation service does not accept our API key. Ask whoever runs Gumshoe to check ISSUE_SERVICE_API_KEY.',
  ],
  [
    new MissingKeyError({ operation: 'issues.get' }),
    'This belongs to the organisation for private channels, and Gumshoe has no API key for it. Ask whoever runs Gumshoe to set ISSUE_SERVICE_PRIVATE_API_KEY.',
  ],
  [
    rejected(403),
    "Our API key lacks permission for this at the investigation service. Ask whoever runs Gumshoe to check the key's permissions. (request req_1)",
  ],
  [
    rejected(404),
    'The investigation service cannot find this. Check the number; it may have been deleted. (request req_1)',
  ],
  [rejected(503), 'The investigation service failed (HTTP 503). Try again in a few minutes. (request req_1)'],
  [
    rejected(302),
    'The investigation service redirected to another address (HTTP 302). Ask whoever runs Gumshoe to check ISSUE_SERVICE_URL. (request req_1)',
  ],
  [
    new RateLimitedError({ operation: 'query.ask', retryAfterMs: 120_000, requestId: 'req_2' }),
    'The investigation service is rate-limiting Gumshoe. Try again in 2 minutes. (request req_2)',
  ],
  [
    new RateLimitedError({ operation: 'query.ask', retryAfterMs: 400 }),
    'The investigation service is rate-limiting Gumshoe. Try again in a second.',
  ],
  [
    new RateLimitedError({ operation: 'query.ask', retryAfterMs: null }),
    'The investigation service is rate-limiting Gumshoe. Try again in a minute.',
  ],
  [
    new UnreachableError({ ...READ, code: 'ECONNREFUSED' }),
    'The investigation service is unreachable. Try again in a few minutes; if that does not help, tell whoever runs Gumshoe.',
  ],
  [
    new UnreachableError({ ...WRITE, code: 'ECONNRESET' }),
    'The connection to the investigation service dropped before it answered.',
  ],
  [
    new TimedOutError({ ...WRITE, timeoutMs: 30_000 }),
    'The investigation service did not answer in time. Try again in a few minutes.',
  ],
  [
    new UnreadableAnswerError({ ...READ, problem: 'the answer is no JSON', bodyExcerpt: '<html>' }),
    'Gumshoe could not read the answer of the investigation service. Ask whoever runs Gumshoe to check ISSUE_SERVICE_URL and the log.',
  ],
  [
    new StreamFailedError({ ...READ, operation: 'query.stream', reason: 'overloaded' }),
    'The investigation service stopped partway through its answer: overloaded. Ask again.',
  ],
  [
    new CircuitOpenError({ operation: 'issues.get', retryAfterMs: 8_200 }),
    'The investigation service has been failing. Gumshoe will retry in 9 seconds.',
  ],
  [
    new CircuitOpenError({ operation: 'issues.get', retryAfterMs: 0 }),
    'The investigation service has been failing. Gumshoe is retrying now.',
  ],
  [
    new UnsendableError({ operation: 'issues.create', details: { title: 'Too small' } }),
    'The investigation service cannot accept this (title: Too small). Change it and try again.',
  ],
  [new CancelledError(WRITE), 'This was cancelled before the investigation service answered.'],
  [
    new Error('secret detail'),
    'Something went wrong inside Gumshoe. Try again; if it keeps happening, tell whoever runs Gumshoe.',
  ],
  [
    'text',
    'Something went wrong inside Gumshoe. Try again; if it keeps happening, tell whoever runs Gumshoe.',
  ],
];

describe('a failure in words for a person', () => {
  test.each(SENTENCES)('%s', (error, words) => {
    expect(explainServiceError(error)).toBe(words);
  });

  test('is there for every class of error', () => {
    const spoken = new Set(SENTENCES.map(([error]) => Object(error).constructor.name));
    const classes = Object.keys(errorClasses).filter((name) => name !== 'ServiceError');
    expect(classes.filter((name) => !spoken.has(name))).toEqual([]);
  });
});
