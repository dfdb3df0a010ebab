import { expect, it } from 'vitest';
import { causePlaceOf } from '../../../src/bot/issues/cause.ts';

const named = (id: string, title: string) =>
  causePlaceOf({ causalTreeV2: { nodes: [{ id, title, nodeType: 'cause' }] } });

it('a cause is at the node that its title names, and no other word of a cause is a service', () => {
  expect(named('payments', 'Bad deploy of payments')).toBe('payments');
  expect(named('n1', 'Bad deploy of payments')).toBeNull();
  expect(named('node-deploy', 'Bad deploy')).toBeNull();
  expect(causePlaceOf({ rootCause: { rootCauseSummary: 'The deploy of payments broke it' } })).toBeNull();
});
