import { describe, expect, it } from 'vitest';
import { stuckIssues, typicalTime } from '../../../src/bot/digest/facts.ts';
import type { DigestIssue } from '../../../src/bot/store/digests.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = 100 * DAY;

function issue(change: Partial<DigestIssue>): DigestIssue {
  return {
    id: 'i1',
    number: 1,
    organization: 'default',
    title: 'CPU is high',
    service: null,
    status: 'ready_to_fix',
    status_since: NOW,
    created_at: NOW,
    investigating_since: NOW,
    thread_ts: '1.0',
    ...change,
  };
}

describe('an issue is stuck', () => {
  it.each<[string, Partial<DigestIssue>, 'investigating' | 'open' | null]>([
    ['half an hour', { status: 'investigating', investigating_since: NOW - 30 * MINUTE }, null],
    ['longer', { status: 'investigating', investigating_since: NOW - 31 * MINUTE }, 'investigating'],
    ['not any more', { investigating_since: NOW - 31 * MINUTE }, null],
    ['three days', { created_at: NOW - 3 * DAY }, null],
    ['longer than three days', { created_at: NOW - 3 * DAY - 1 }, 'open'],
    [
      'again, since just now',
      { status: 'investigating', created_at: NOW - 9 * DAY, investigating_since: NOW },
      null,
    ],
    ['muted, which somebody decided', { status: 'muted', created_at: NOW - 9 * DAY }, null],
    ['in a status that is unknown', { status: 'parked', created_at: NOW - 9 * DAY }, 'open'],
  ])('investigated or open for %s: %o → %s', (_, change, why) => {
    expect(stuckIssues([issue(change)], NOW).map((stuck) => stuck.why)).toEqual(why === null ? [] : [why]);
  });
});

describe('the typical time to resolve', () => {
  const after = (minutes: number) => issue({ created_at: 0, status_since: minutes * MINUTE });
  it.each([
    [[], null],
    [[5], 5],
    [[90, 5, 7], 7],
    [[1, 2, 4, 100], 3],
  ])('of %o minutes is the median, %s', (minutes, median) => {
    expect(typicalTime(minutes.map(after))).toBe(median === null ? null : median * MINUTE);
  });
});
