import { describe, expect, it } from 'vitest';
import { readInvestigate, requestForWords } from '../../../src/bot/filing/ask-to-file.ts';
import { IssueCreate } from '../../../src/contract/schema.ts';

const nothing = { text: '', severity: null, environment: null, service: null, unknownSeverity: null };

describe('the words after /investigate', () => {
  it.each([
    ['checkout is slow', { text: 'checkout is slow' }],
    [
      'checkout is slow severity:high env:staging service:checkout',
      { text: 'checkout is slow', severity: 'high', environment: 'staging', service: 'checkout' },
    ],
    [
      'service:checkout checkout severity:HIGH is   env:staging slow',
      { text: 'checkout is slow', severity: 'high', environment: 'staging', service: 'checkout' },
    ],
    ['sev:low slow environment:prod', { text: 'slow', severity: 'low', environment: 'prod' }],
    [
      'slow service:"checkout api" env:“load test”',
      { text: 'slow', service: 'checkout api', environment: 'load test' },
    ],
    ['"checkout is slow"', { text: 'checkout is slow' }],
    ['“checkout is slow” sev:low', { text: 'checkout is slow', severity: 'low' }],
    ['say "hello" to checkout', { text: 'say "hello" to checkout' }],
    ['slow severity:urgent', { text: 'slow', unknownSeverity: 'urgent' }],
    ['slow env:"" service:""', { text: 'slow' }],
    ['slow severity = High env: „load test“', { text: 'slow', severity: 'high', environment: 'load test' }],
    ['the checkout service: timeouts', { text: 'the checkout service: timeouts' }],
    ['http://grafana/?service:x is slow', { text: 'http://grafana/?service:x is slow' }],
    ['severity:high', { severity: 'high' }],
    ['   ', {}],
  ])('%j', (input, read) => {
    expect(readInvestigate(input)).toEqual({ ...nothing, ...read });
  });
});

describe('the create request for a person’s words', () => {
  const origin = { issueId: 'abc', channel: 'C1', at: Date.parse('2026-03-17T12:00:00Z'), userId: 'U1' };

  it('has the defaults, the reference, and nobody’s name', () => {
    expect(requestForWords({ ...nothing, text: 'checkout is slow' }, origin, 'prod')).toEqual({
      title: 'checkout is slow',
      description: 'checkout is slow\n\n---\nReference: gumshoe-abc',
      environment: 'production',
      severity: 'medium',
      triggeredAt: '2026-03-17T12:00:00.000Z',
      context: { metadata: { source: 'slack', channel: 'C1' } },
    });
  });

  it('takes what the words state, and is one that the contract takes however long they are', () => {
    const text = 'checkout is slow '.repeat(100).trim();
    const words = { ...nothing, text, severity: 'high' as const, environment: 'stg', service: 'checkout' };
    const request = requestForWords(words, origin, 'prod');
    expect(request).toMatchObject({
      severity: 'high',
      environment: 'staging',
      context: { service: 'checkout' },
    });
    expect(request.description.startsWith(`${text}\n`)).toBe(true);
    expect(IssueCreate.safeParse(request).success).toBe(true);
  });
});
