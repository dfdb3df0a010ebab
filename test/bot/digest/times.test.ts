import { describe, expect, it } from 'vitest';
import { isFirstOfWeek, isZone, nextDigest } from '../../../src/bot/digest/settings.ts';

const daily = (time: string, zone: string) => ({ days: '1234567', time, zone });

/** The moments at which it comes after `from`, so many of them, in UTC. */
function moments(times: Parameters<typeof nextDigest>[0], from: string, count: number): string[] {
  const found: string[] = [];
  let after = Date.parse(from);
  for (let n = 0; n < count; n += 1) {
    after = nextDigest(times, after);
    found.push(new Date(after).toISOString().replace(':00.000Z', 'Z'));
  }
  return found;
}

describe('a digest comes', () => {
  it('on its days, at its time', () => {
    const weekdays = { days: '12345', time: '09:00', zone: 'Etc/UTC' };
    expect(moments(weekdays, '2026-11-19T09:00:00Z', 3)).toEqual([
      '2026-11-20T09:00Z',
      '2026-11-23T09:00Z',
      '2026-11-24T09:00Z',
    ]);
  });

  it('today, where its time is still to come', () => {
    const fridays = { days: '5', time: '09:00', zone: 'Etc/UTC' };
    expect(moments(fridays, '2026-11-20T08:59:59Z', 2)).toEqual(['2026-11-20T09:00Z', '2026-11-27T09:00Z']);
  });

  it('on the day that it is in its zone', () => {
    const mondays = (zone: string) => ({ days: '1', time: '00:30', zone });
    expect(moments(mondays('Pacific/Auckland'), '2026-11-20T00:00:00Z', 1)).toEqual(['2026-11-22T11:30Z']);
    expect(moments(mondays('America/New_York'), '2026-11-20T00:00:00Z', 1)).toEqual(['2026-11-23T05:30Z']);
  });

  it.each([
    [
      'Europe/Berlin',
      '2026-03-27T12:00:00Z',
      ['2026-03-28T08:00Z', '2026-03-29T07:00Z', '2026-03-30T07:00Z'],
    ],
    [
      'Europe/Berlin',
      '2026-10-23T12:00:00Z',
      ['2026-10-24T07:00Z', '2026-10-25T08:00Z', '2026-10-26T08:00Z'],
    ],
    [
      'America/New_York',
      '2026-03-06T15:00:00Z',
      ['2026-03-07T14:00Z', '2026-03-08T13:00Z', '2026-03-09T13:00Z'],
    ],
    [
      'America/New_York',
      '2026-10-30T15:00:00Z',
      ['2026-10-31T13:00Z', '2026-11-01T14:00Z', '2026-11-02T14:00Z'],
    ],
  ])('at nine in %s, also when the clocks change after %s', (zone, from, expected) => {
    expect(moments(daily('09:00', zone), from, 3)).toEqual(expected);
  });

  it.each([
    ['02:30', 'Europe/Berlin', '2026-03-28T12:00:00Z', ['2026-03-29T01:30Z', '2026-03-30T00:30Z']],
    ['02:30', 'America/New_York', '2026-03-07T12:00:00Z', ['2026-03-08T07:30Z', '2026-03-09T06:30Z']],
  ])('at %s in %s although the clock skips it once: an hour later', (time, zone, from, expected) => {
    expect(moments(daily(time, zone), from, 2)).toEqual(expected);
  });

  it.each([
    ['02:30', 'Europe/Berlin', '2026-10-24T12:00:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    ['01:30', 'America/New_York', '2026-10-31T12:00:00Z', ['2026-11-01T05:30Z', '2026-11-02T06:30Z']],
  ])('once at %s in %s although the clock shows it twice', (time, zone, from, expected) => {
    expect(moments(daily(time, zone), from, 2)).toEqual(expected);
  });

  it('exactly once a day over a year, wherever the clocks change', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
      const all = moments(daily('02:30', zone), '2026-01-01T12:00:00Z', 365);
      const days = all.map((moment) =>
        new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(new Date(moment)),
      );
      expect(new Set(days).size).toBe(365);
    }
  });

  it('never, where no day is chosen: that is refused', () => {
    expect(() => nextDigest({ days: '', time: '09:00', zone: 'Etc/UTC' }, 0)).toThrow(/at least one weekday/);
  });
});

it('a zone is known by its name', () => {
  expect(['Europe/Berlin', 'Etc/UTC', 'Mars/Base', ''].map(isZone)).toEqual([true, true, false, false]);
});

describe('the first digest of a week', () => {
  const workdays = { days: '51234', time: '09:00', zone: 'Etc/UTC' };
  const isFirst = (due: string, now = due) =>
    isFirstOfWeek(workdays, Date.parse(`2026-11-${due}:00Z`), Date.parse(`2026-11-${now}:00Z`));

  it('is that of the first of its days', () => {
    expect(['23T09:00', '24T09:00', '27T09:00', '30T09:00'].map((due) => isFirst(due))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('is the late one that stands for it, too', () => {
    expect(isFirst('20T09:00', '23T10:00')).toBe(true);
    expect(isFirst('24T09:00', '26T10:00')).toBe(false);
  });
});
