import { expect, it } from 'vitest';
import { headers } from '../../../src/bot/config/values.ts';

it('reads headers as OpenTelemetry writes them', () => {
  expect(headers().parse('authorization=Bearer%20a-token, X-Tenant = shop,empty=')).toEqual({
    authorization: 'Bearer a-token',
    'X-Tenant': 'shop',
    empty: '',
  });
});

it.each([
  ['a-token', 'must be name=value, or several of them separated by commas'],
  ['a=1,,b=2', 'must be name=value, or several of them separated by commas'],
  ['a b=1', 'must be name=value, or several of them separated by commas'],
  ['a=%zz', 'has a value that is not percent-encoded'],
])('refuses %s', (text, problem) => {
  expect(headers().safeParse(text).error?.issues[0]?.message).toBe(problem);
});
