import { expect, it } from 'vitest';
import { AS_ALWAYS, COMPARES, pastIn, timeIn, timesSpelled } from '../../../src/service/agent/moment.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.UTC(2026, 4, 12);
const NOW = MIDNIGHT + 15 * HOUR;

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
  ['and yesterday same time?', { from: NOW - HOUR - DAY, to: NOW + 1 - DAY }],
  ['errors before and after the deploy', { from: NOW - 4 * HOUR, to: NOW - 3 * HOUR }],
  ['slower since oven 1.9.3?', { from: NOW - 5 * HOUR, to: NOW - 4 * HOUR }],
  ['error rate now and before it started', { from: NOW - 3 * HOUR, to: NOW - 2 * HOUR - 600_000 }],
  ['30 a second, is that normal?', { from: NOW - HOUR - DAY, to: NOW - 2 * HOUR - 600_000 }],
  ['errors now vs the hour before', { from: NOW - 3 * HOUR, to: NOW - 2 * HOUR - 600_000 }],
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
])('the time that a question is about: %s', (question, time) => {
  expect(timeIn(question, NOW)).toEqual(time);
});

it('before the morning, last night is the one before this one', () => {
  expect(timeIn('did it run last night', MIDNIGHT + HOUR / 2)?.window).toEqual({
    from: MIDNIGHT - DAY - 3 * HOUR,
    to: MIDNIGHT - DAY + 6 * HOUR,
  });
  expect(timeIn('errors tonight', MIDNIGHT + HOUR / 2)?.window.from).toBe(MIDNIGHT - 3 * HOUR);
});

it('what is always so is asked otherwise than what is over', () => {
  expect(['is that normal', 'was it always so', 'back to normal?'].map((one) => AS_ALWAYS.test(one))).toEqual(
    [true, true, false],
  );
  expect(COMPARES.test('which deploy was before this one')).toBe(false);
});
