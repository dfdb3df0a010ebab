import { describe, expect, it } from 'vitest';
import { namesIn } from '../../../../src/bot/alerts/names.ts';
import { sentenceState } from '../../../../src/bot/alerts/wording.ts';

describe('a sentence about a measurement', () => {
  it.each([
    ['connections are above the limit', 'firing'],
    ['connections are below the limit', 'resolved'],
    ['free space is below 10 %', 'firing'],
    ['free space is above 10 %', 'resolved'],
    ['lag 4h 12m, objective 15m', 'firing'],
    ['lag 3m, objective 15m', 'resolved'],
    ['pressure 1.2 bar, minimum 2.5 bar', 'firing'],
    ['0 of 4 disks missing', 'resolved'],
    ['5 of 6 upstreams unreachable', 'firing'],
    ['disk is 63% full', undefined],
    ['orders > 500 just triggered', 'firing'],
    ['orders > 500 went back to normal', 'resolved'],
    ['orders > 500', undefined],
    ['cpu 41% (<90%)', 'resolved'],
    ['disk is 93% full', 'firing'],
  ])('%s: %s', (line, state) => {
    expect(sentenceState(line)?.state).toBe(state);
  });
});

describe('the names in a line', () => {
  it.each([
    ['Backup of orders-db failed: no space left on device', ['backup', 'orders-db']],
    ['Backup of orders-db succeeded again', ['backup', 'orders-db']],
    ['Freezer 3 too warm: -11.2 °C', ['freezer', 'freezer 3']],
    ['[DOWN] web-3: disk full', ['web-3', 'disk']],
    ['Packet loss to 10.20.30.40 is 18% over 5 minutes', ['packet', 'loss', '10.20.30.40']],
  ])('%s', (line, names) => {
    expect(namesIn(line)).toStrictEqual(names);
  });
});
