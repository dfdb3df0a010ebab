import { expect, it } from 'vitest';
import { found, level, red } from './freight.ts';

const outside = (caller: string, callee: string, failing: number) =>
  ({
    service: caller,
    measure: 'errors',
    unit: '1',
    label: 'outgoing error rate',
    edge: { caller, callee, side: 'caller' },
    at: level(0.001, failing),
  }) as const;

const calling = (...callees: [string, number][]) => ({
  services: [
    { name: 'payments' },
    { name: 'mailer' },
    ...callees.map(([name]) => ({ name, kind: 'external' as const })),
  ],
  edges: callees.map(([callee], i) => ({ caller: i < 2 ? 'payments' : 'mailer', callee })),
  metrics: [
    ...red('payments', { errors: level(0.001, 0.2) }),
    ...red('mailer', { errors: level(0.001, callees.length > 2 ? 0.2 : 0.001) }),
    ...callees.map(([callee, failing], i) => outside(i < 2 ? 'payments' : 'mailer', callee, failing)),
  ],
});
const about = { title: 'Payments fail', service: 'payments' };

it('hosts of several operators that fail at once share only the way to them', async () => {
  const { overview, summary, actions } = await found(
    calling(['api.bank.example', 0.22], ['gw.card.test', 0.22], ['push.mail.invalid', 0.2]),
    about,
  );
  expect(summary).toMatch(
    /^Calls to api\.bank\.example, gw\.card\.test and push\.mail\.invalid fail at once: errors went from 0\.1% to 2\d% at 10:22 UTC; different operators share only the way to them, such as DNS, the network or a proxy\.\n/u,
  );
  expect(overview).toContain('Calls to hosts outside fail. Ongoing.');
  expect(actions[0]).toBe('Look at the way out');
});

it('also where a host is measured by itself, and answers as usual', async () => {
  const made = calling(['api.bank.example', 0.22], ['gw.card.test', 0.22]);
  const probed = {
    service: 'api.bank.example',
    measure: 'latency',
    unit: 's',
    label: 'probe duration',
    at: level(0.14),
  } as const;
  const { summary, actions } = await found({ ...made, metrics: [...made.metrics, probed] }, about);
  expect(summary).toMatch(/^Calls to api\.bank\.example and gw\.card\.test fail at once: /u);
  expect(actions[0]).toBe('Look at the way out');
});

it.each([
  ['one operator', ['api.bank.example', 0.22], ['gw.bank.example', 0.22]],
  ['one of two', ['api.bank.example', 0.22], ['gw.card.test', 0.001]],
] as const)('%s that fails is a dependency that fails', async (_, one, other) => {
  const { summary } = await found(calling([...one], [...other]), about);
  expect(summary).toMatch(/^External dependency \S+ is degraded/u);
});
