import { describe, expect, it } from 'vitest';
import { stuckIssues, typicalTime } from '../../../src/bot/digest/digests.ts';
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
    severity: 'high',
    raisedSeverity: null,
    symptomOf: null,
    version: 1,
    endedVersion: 0,
    status: 'ready_to_fix',
    statusSince: NOW,
    createdAt: NOW,
    investigatingSince: NOW,
    threadTs: '1.0',
    ...change,
  };
}

describe('an issue is stuck', () => {
  it.each<[string, Partial<DigestIssue>, 'investigating' | 'open' | null]>([
    ['half an hour', { status: 'investigating', investigatingSince: NOW - 30 * MINUTE }, null],
    ['longer', { status: 'investigating', investigatingSince: NOW - 31 * MINUTE }, 'investigating'],
    ['not any more', { investigatingSince: NOW - 31 * MINUTE }, null],
    ['three days', { createdAt: NOW - 3 * DAY }, null],
    ['longer than three days', { createdAt: NOW - 3 * DAY - 1 }, 'open'],
    [
      'again, since just now',
      { status: 'investigating', createdAt: NOW - 9 * DAY, investigatingSince: NOW },
      null,
    ],
    ['muted, which somebody decided', { status: 'muted', createdAt: NOW - 9 * DAY }, null],
    ['in a status that is unknown', { status: 'parked', createdAt: NOW - 9 * DAY }, 'open'],
  ])('investigated or open for %s: %o → %s', (_, change, why) => {
    expect(stuckIssues([issue(change)], NOW).map((stuck) => stuck.why)).toEqual(why === null ? [] : [why]);
  });
});

describe('the typical time to resolve', () => {
  const after = (minutes: number) => issue({ createdAt: 0, statusSince: minutes * MINUTE });
  it.each([
    [[], null],
    [[5], 5],
    [[90, 5, 7], 7],
    [[1, 2, 4, 100], 3],
  ])('of %o minutes is the median, %s', (minutes, median) => {
    expect(typicalTime(minutes.map(after))).toBe(median === null ? null : median * MINUTE);
  });
});
