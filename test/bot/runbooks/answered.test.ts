import { describe, expect, it } from 'vitest';
import { answersTo, evidenceOf } from '../../../src/bot/runbooks/answered.ts';
import type { InvestigationResults } from '../../../src/contract/answers.ts';

const read = (documentId: string, dataType: string, title: string, description: string) => ({
  title: `About ${documentId}`,
  artifacts: [{ documentId, dataType, title, description }],
});

const RESULTS: InvestigationResults = {
  rootCause: {
    relevantEvidence: [
      read('connections', 'metric', 'payments connections in use', 'Peak 40, limit 40.'),
      read('errors', 'metric', 'payments error rate', 'Peak 14.2%.'),
      read('logs', 'logs', 'payments logs', '15 lines, starting with: PoolTimeout: none free'),
      read('checkout', 'metric', 'checkout error rate', 'Peak 10.8%.'),
      { title: 'State of Pod/payments-7f9c', description: 'It restarts.' },
    ],
    irrelevantEvidence: [
      read('memory', 'metric', 'payments memory usage', 'Last 46.2%.'),
      read('db', 'metric', 'payments-db p95 latency', 'Last 15.7 ms.'),
    ],
  },
};
const queries = new Map([
  ['memory', 'graph?g0.expr=sum(container_memory_working_set_bytes{pod=~"payments.*"})'],
]);
const answers = (step: string, own = ['payments']) => answersTo(step, evidenceOf(RESULTS, own, queries));

describe('a step is answered', () => {
  it.each([
    ['Are the connections in use near the limit?', ['payments connections in use: Peak 40, limit 40.']],
    ['Check memory usage.', ['payments memory usage: Last 46.2%.']],
    [
      'Look at the logs of payments for errors',
      ['payments logs: 15 lines, starting with: PoolTimeout: none free'],
    ],
    ['Is the latency of payments-db high?', ['payments-db p95 latency: Last 15.7 ms.']],
    ['Find `PoolTimeout`', ['payments logs: 15 lines, starting with: PoolTimeout: none free']],
    ['`sum(container_memory_working_set_bytes)` below 1 GB?', ['payments memory usage: Last 46.2%.']],
    ['See Pod/payments-7f9c', ['State of Pod/payments-7f9c: It restarts.']],
  ])('%s', (step, expected) => {
    expect(answers(step)).toEqual(expected);
  });

  it('of the services that it is about, the first of them first', () => {
    expect(answers('Check the error rate', ['checkout', 'payments'])).toEqual([
      'checkout error rate: Peak 10.8%.',
      'payments error rate: Peak 14.2%.',
    ]);
  });
});

it.each([
  'Check the connections in use of the orders pods',
  'Check the request rate',
  'Check usage of the disk',
  'Check memory usage of orders',
  'Check the memory usage of payments-db',
  'Check the error logs',
  'Restart payments',
  'kubectl -n shop logs deploy/payments',
  'See https://wiki.example/container_memory_working_set_bytes',
  'Check container_memory',
])('in doubt nothing is said: %s', (step) => {
  expect(answers(step)).toEqual([]);
});

it('what was read of a service that the steps are not about answers nothing', () => {
  expect(answers('Check memory usage', ['checkout'])).toEqual([]);
});
