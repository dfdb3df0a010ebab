import { expect, it } from 'vitest';
import {
  AS_ALWAYS,
  compares,
  pastIn,
  timeIn,
  timesSpelled,
  untilIn,
  withoutTimes,
} from '../../../src/service/agent/moment.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.UTC(2026, 4, 12);
const NOW = MIDNIGHT + 15 * HOUR;

const hour = (of: number) => MIDNIGHT + of * HOUR;
const from = (begin: number, end: number) => ({
  window: { from: hour(begin), to: hour(end) },
  at: hour(end),
});
const around = (at: number) => ({ window: { from: hour(at - 1), to: hour(at + 0.5) }, at: hour(at) });
const until = (hours: number) => ({ window: { from: NOW - hours * HOUR, to: NOW }, at: NOW });

const AROUND = {
  now: NOW,
  services: ['mill'],
  began: NOW - 2 * HOUR,
  changes: async () => [
    { service: 'mill', title: 'Deploy mill 4.1.0', version: '4.1.0', at: NOW - 5 * HOUR },
    { service: 'mill', title: 'Deploy mill 4.2.0', version: '4.2.0', at: NOW - 3 * HOUR },
    { service: 'oven', title: 'Deploy oven 1.9.3', version: '1.9.3', at: NOW - 4 * HOUR },
  ],
};

it('times are spelled as people type them at night, and names stay as they are', () => {
  expect(timesSpelled('rate rn vs yday, same time this mornin, or last nite of yday-api')).toBe(
    'rate now vs yesterday, same time this morning, or last night of yday-api',
  );
});

it.each([
  ['orders now vs an hour ago', { from: NOW - 75 * 60_000, to: NOW - 45 * 60_000 }],
  ['cpu now and this morning', { from: MIDNIGHT + 6 * HOUR, to: MIDNIGHT + 12 * HOUR }],
  ['and yesterday same time?', { from: NOW - DAY - 15 * MINUTE, to: NOW - DAY + 15 * MINUTE }],
  ['errors before and after the deploy', { from: NOW - 4 * HOUR, to: NOW - 3 * HOUR }],
  ['slower since oven 1.9.3?', { from: NOW - 5 * HOUR, to: NOW - 4 * HOUR }],
  ['error rate now and before it started', { from: NOW - 3 * HOUR, to: NOW - 2 * HOUR - 600_000 }],
  ['30 a second, is that normal?', { from: NOW - HOUR - DAY, to: NOW - 2 * HOUR - 600_000 }],
  ['errors now vs the hour before', { from: NOW - 3 * HOUR, to: NOW - 2 * HOUR - 600_000 }],
  ['how big is it vs this time yesterday', { from: NOW - DAY - 15 * MINUTE, to: NOW - DAY + 15 * MINUTE }],
  [
    'more errors than the same time last week?',
    { from: NOW - 7 * DAY - 15 * MINUTE, to: NOW - 7 * DAY + 15 * MINUTE },
  ],
  ['and half an hour ago? getting worse?', { from: NOW - 45 * MINUTE, to: NOW - 15 * MINUTE }],
  ['is it slower since 13:00', { from: MIDNIGHT + 12 * HOUR, to: MIDNIGHT + 13 * HOUR }],
  ['errors half an hour ago', null],
  ['is it back to normal?', null],
  ['how many orders yesterday', null],
])('the second time of which a question asks: %s', async (question, window) => {
  expect(await pastIn(question, AROUND)).toEqual(window);
});

it.each([
  [
    'did it run last night',
    { window: { from: MIDNIGHT - 3 * HOUR, to: MIDNIGHT + 6 * HOUR }, at: MIDNIGHT + 6 * HOUR },
  ],
  ['orders yesterday', { window: { from: MIDNIGHT - DAY, to: MIDNIGHT }, at: MIDNIGHT }],
  ['errors today', { window: { from: MIDNIGHT, to: NOW }, at: NOW }],
  ['orders now vs yesterday', { window: { from: NOW - HOUR, to: NOW }, at: NOW }],
  ['orders', null],
  ['how big is it vs this time yesterday', null],
  ['more errors than the same time last week?', null],
  ['is it slower than an hour ago', null],
  ['errors now and this morning', { window: { from: NOW - HOUR, to: NOW }, at: NOW }],
  ['was it slow yesterday', { window: { from: MIDNIGHT - DAY, to: MIDNIGHT }, at: MIDNIGHT }],
  ['errors yesterday between 14:00 and 14:30', from(-10, -9.5)],
  ['what changed between 2pm and 3pm', { ...from(14, 15), at: NOW }],
  ['errors from 2 to half past', from(2, 2.5)],
  ['what happened at 3am', around(3)],
  ['what happened at 3?', around(3)],
  ['logs at 23:00', around(-1)],
  ['errors half an hour ago', { window: { from: NOW - 90 * MINUTE, to: NOW }, at: NOW - 30 * MINUTE }],
  ['errors since 3 utc', until(15 - 3)],
  ['which pods restarted since last night', until(15 + 3)],
  ['errors since yesterday', until(15 + 24)],
  ['who deployed in the last two hours', until(2)],
  ['errors over 24 hours', until(24)],
  ['failing for 3 h', until(3)],
  ['errors two nights ago', from(-27, -18)],
  ['errors monday morning', from(-18, -12)],
  ['what broke on friday', from(-96, -72)],
  ['was it ok before 13:00?', from(12, 13)],
])('the time that a question is about: %s', (question, time) => {
  expect(timeIn(question, NOW)).toEqual(time);
});

it('before the morning, last night is the one before this one', () => {
  expect(timeIn('did it run last night', MIDNIGHT + HOUR / 2)?.window).toEqual({
    from: MIDNIGHT - DAY - 3 * HOUR,
    to: MIDNIGHT - DAY + 6 * HOUR,
  });
  expect(timeIn('did it run two nights ago', hour(2))?.window.from).toBe(hour(-51));
  expect(timeIn('did it run monday night', hour(2))?.window).toEqual({ from: hour(-3), to: hour(2) });
  expect(timeIn('errors last night at 1am', hour(2))?.at).toBe(hour(1));
  expect(timeIn('errors tonight', MIDNIGHT + HOUR / 2)?.window.from).toBe(MIDNIGHT - 3 * HOUR);
});

it('what is always so is asked otherwise than what is over', () => {
  expect(['is that normal', 'was it always so', 'back to normal?'].map((one) => AS_ALWAYS.test(one))).toEqual(
    [true, true, false],
  );
  expect(compares('which deploy was before this one', NOW)).toBe(false);
});

it.each([
  'good morning, is anything broken',
  'will it survive the night',
  'is it full by 18:00',
  '24/7 and 2/3 of the pods',
  'connections from 200 to 600',
  'is march-api slower, or mon-1',
  'at 5 errors a second',
])('what is to come, a name and a count are no time that was: %s', (question) => {
  expect(timeIn(question, NOW)).toBe(null);
});

it('what is measured is not called as its time is', () => {
  expect(withoutTimes('orders of eu-3am since it began, vs 10 min ago or yesterday 14:00')).toBe(
    'orders of eu-3am , vs  or ',
  );
});

it.each([
  ['does it last until 06:00', 30],
  ['will the disk survive the night', 32],
  ['does it hold over night', 32],
  ['enough by tomorrow morning?', 32],
  ['where are we at midnight', 24],
  ['full before tonight?', 20],
  ['is there room until monday', 24 * 6],
  ['enough for another 6 hours', 21],
  ['full in 2 h?', 17],
  ['is it full', null],
  ['enough until monday morning?', 24 * 6 + 8],
  ['does it last over the weekend', 24 * 6],
  ['was it full before 18:00', null],
])('until when something has to last: %s', (question, hours) => {
  expect(untilIn(question, NOW)).toBe(hours === null ? null : hour(hours));
});
