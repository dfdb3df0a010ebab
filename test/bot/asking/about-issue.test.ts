import { expect, it } from 'vitest';
import { aboutIssue } from '../../../src/bot/asking/request.ts';

const issue = {
  number: 7,
  title: 'CPU\nis high',
  environment: 'production',
  status: 'ready_to_fix',
  service: null,
};

it('the agent is told which issue a thread is about, on lines of our own', () => {
  expect(aboutIssue(issue, null)).toBe(
    'This is about issue #7: CPU is high\nEnvironment: production. Status: ready_to_fix.',
  );
  expect(aboutIssue({ ...issue, number: null, service: 'check\n\nout' }, 'The pool\n\nis full.')).toBe(
    'This is about issue #?: CPU is high\n' +
      'Environment: production. Status: ready_to_fix. Service: check out.\n' +
      'Root cause: The pool is full.',
  );
});

it('a long root cause is cut', () => {
  expect(aboutIssue(issue, 'pool '.repeat(1_000)).length).toBeLessThan(1_100);
});
