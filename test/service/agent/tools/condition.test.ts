import { expect, it } from 'vitest';
import {
  type Condition,
  conditionIn,
  meets,
  withoutCondition,
} from '../../../../src/service/agent/tools/condition.ts';

it.each<[string, Condition | null]>([
  ['any disks over 80%?', { comparison: 'over', value: 0.8, unit: '1' }],
  ['queues longer than 1000', { comparison: 'over', value: 1000, unit: '' }],
  ['which calls took more than 250 ms?', { comparison: 'over', value: 0.25, unit: 's' }],
  ['hosts with less than 2 GB free', { comparison: 'under', value: 2 * 1024 ** 3, unit: 'By' }],
  ['certificates that last less than 14 days', { comparison: 'under', value: 14 * 86_400, unit: 's' }],
  ['error rate over 24 hours', null],
  ['is p95 higher than 2 hours ago', null],
  ['is it slower than 3am', null],
  ['more errors than 14:00 utc', null],
  ['more than usual', null],
])('%s', (question, condition) => {
  expect(conditionIn(question)).toEqual(condition);
});

it('of the question, what is compared with is left out, but not that it is a share', () => {
  expect(withoutCondition('any disks over 80%?')).toBe('any disks %?');
  expect(withoutCondition('queues longer than 1000')).toBe('queues ');
});

it('only what is in the same unit is compared', () => {
  const share: Condition = { comparison: 'over', value: 0.8, unit: '1' };
  expect([meets(0.9, '1', share), meets(0.7, '1', share), meets(90, 's', share)]).toEqual([
    true,
    false,
    null,
  ]);
  expect(meets(300, 'ms', { comparison: 'over', value: 0.25, unit: 's' })).toBe(true);
});
