import { describe, expect, it } from 'vitest';
import { reasonWords } from '../../../src/bot/render/alerts/reasons.ts';
import { REASONS, type Reason, readReason, storedReason } from '../../../src/bot/store/reasons.ts';

const detailed: Reason[] = [
  { code: 'excluded', pattern: '/^disk/' },
  { code: 'below_minimum', severity: 'low', minimum: 'high' },
  { code: 'fired_again', minutes: 1, coolDown: 30 },
  { code: 'attached', issue: '#2', to: null },
  { code: 'held', by: 'budget', isOver: true, limit: 2, minutes: 10 },
];

describe('the reason of a decision', () => {
  it('is read as it was stored', () => {
    const all: Reason[] = [...REASONS, ...detailed];
    expect(all.map((reason) => readReason(storedReason(reason)))).toEqual(all);
  });

  it('is a sentence when it is shown, with what it names', () => {
    expect(detailed.map(reasonWords)).toEqual([
      'the channel excludes alerts matching “/^disk/”',
      'low is below the channel’s minimum severity, high',
      'fired again 1 minute after its issue was resolved, within the cool-down of 30',
      'somebody attached its issue, #2, to an issue without a number',
      'held: over the channel’s budget of 2 new issues in 10 minutes; it had already recovered when it arrived',
    ]);
  });

  it('of an earlier release is shown as the sentence that it stored', () => {
    expect(reasonWords(readReason('a new alert'))).toBe('a new alert');
    expect(reasonWords(readReason('{"code":"unknown"}'))).toBe('{"code":"unknown"}');
  });
});
