import { expect, it } from 'vitest';
import { factsFor } from '../../../../src/service/agent/facts.ts';
import { type HealthArgs, input, saysOf, troublesOf } from '../../../../src/service/agent/tools/health.ts';
import { conditionInWords } from '../../../../src/service/agent/words/health.ts';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { type MadeMetric, madeSource } from '../../../support/made-source.ts';
import { climb, level, MINUTE, ONSET, red } from '../../investigation/freight.ts';
import { anIssue, issuesOf } from '../an-issue.ts';

const NOW = ONSET + 8 * MINUTE;

/** Booking fails since the onset; tickets for hours; the mail queue climbs for hours; nothing is known of the printer. */
const METRICS: MadeMetric[] = [
  ...red('booking', { errors: level(0.002, 0.3) }),
  ...red('portal', { errors: level(0.001, 0.2) }),
  ...red('tickets', { errors: () => 0.2 }),
  ...red('catalog'),
  { service: 'mail', measure: 'queue', unit: '{message}', label: 'queue depth', at: climb(100, 20_000, 600) },
];
const made = madeSource({
  services: ['portal', 'booking', 'tickets', 'catalog', 'mail', 'printer'].map((name) => ({ name })),
  edges: [{ caller: 'portal', callee: 'booking' }],
  metrics: METRICS,
});
const issue = anIssue({
  number: 7,
  title: 'HighErrorRate booking',
  triggeredAt: ONSET + 4 * MINUTE,
  service: 'booking',
  cause: { service: 'booking', summary: 'Bad deploy of booking.', confidence: 'low' },
});

async function asked(args: Partial<HealthArgs>, { inThread = false, isOpen = false } = {}) {
  const all = { ...input.parse({}), asked: 'how is it?', ...args };
  const facts = await factsFor(
    {
      services: all.services,
      at: NOW,
      text: all.asked,
      issue: inThread ? issue : null,
      context: null,
    },
    {
      telemetry: made,
      budget: UNLIMITED,
      issues: issuesOf(isOpen || inThread ? [issue] : []),
      open: isOpen ? [issue] : [],
      now: NOW,
      catalog: null,
      owners: [],
      id: () => 'id',
      cited: new Set(),
      attached: [],
      labels: {},
    },
  );
  const troubles = await troublesOf(all, facts);
  return { troubles, says: saysOf(troubles, all, facts) };
}

it.each([
  ['booking', 'ill', false],
  ['tickets', 'bad', false],
  ['mail', 'ill', false],
  ['catalog', 'well', true],
  ['printer', 'unclear', null],
  ['ledger', 'unclear', null],
] as const)('%s is %s, whatever lasts for hours and whatever nobody measures', async (service, is, holds) => {
  const found = await asked({ services: [service], expects: 'over' });
  expect(found.troubles.map(({ look }) => look?.is)).toEqual([is]);
  expect(found.says?.holds ?? null).toBe(holds);
});

it.each([
  [null, true],
  ['errors', true],
  ['latency', null],
  ['up', null],
] as const)('that booking fails is a yes to who asks of %s: %s', async (measure, holds) => {
  const { says } = await asked({ services: ['booking'], expects: 'ongoing', measure });
  expect(says?.holds).toBe(holds);
});

it('that something fails is a yes to who asks whether anything does, and none that all is down', async () => {
  const saidOf = async (measure: string) =>
    (await asked({ whole: true, expects: 'ongoing', measure })).says?.holds;
  expect([await saidOf('errors'), await saidOf('latency'), await saidOf('up')]).toEqual([true, null, null]);
});

it('of everything, all that is bad by itself or departs besides is there', async () => {
  const [trouble] = (await asked({ whole: true })).troubles;
  expect(trouble?.look).toMatchObject({
    is: 'ill',
    primary: { service: 'booking', end: null, isNeighbor: false },
    grows: [{ service: 'mail', label: 'queue depth' }],
  });
  expect(trouble?.look?.bad.map(({ service }) => service).sort()).toEqual(['booking', 'portal', 'tickets']);
});

it.each([
  ['catalog', false],
  ['portal', true],
  ['printer', null],
] as const)(
  'whether %s has to do with the issue is told by what moved and who calls',
  async (service, holds) => {
    const found = await asked({ services: [service], aspect: 'certainty' }, { inThread: true });
    expect(found.says?.holds ?? null).toBe(holds);
  },
);

it('an issue’s own verdict answers about what belongs to it', async () => {
  const { troubles } = await asked({ aspect: 'cause' }, { inThread: true });
  expect(troubles).toHaveLength(1);
  expect(troubles[0]).toMatchObject({
    look: null,
    verdict: { number: 7, summary: 'Bad deploy of booking.', confidence: 'low' },
    course: { state: { is: 'ongoing' }, levels: [{ service: 'booking', isCause: true }] },
  });
});

it('an open issue elsewhere is no no of a thing that is well', async () => {
  const { troubles, says } = await asked({ services: ['catalog'], expects: 'over' }, { isOpen: true });
  expect(troubles.map(({ look }) => look?.open)).toEqual([[]]);
  expect(says?.holds).toBe(true);
});

it('what exports other values than before, or has moved, is not called healthy', async () => {
  const [trouble] = (await asked({ services: ['catalog'], expects: 'over' })).troubles;
  const look = trouble?.look;
  if (trouble === undefined || look == null) throw new Error('Nothing was looked at.');
  expect(conditionInWords(look, NOW)).toMatch(/^\*\*catalog is healthy\.\*\*/u);
  const unsure = { ...look, isUnsure: true };
  const cpu = {
    service: 'catalog',
    measure: 'cpu' as const,
    label: 'CPU usage',
    unit: '1',
    now: 0.89,
    before: 0.18,
  };
  expect(conditionInWords({ ...unsure, levels: [cpu] }, NOW)).toMatch(
    /^\*\*I see nothing wrong with catalog\.\*\*[\s\S]*Also measured: CPU usage 89% \(18% before\)\./u,
  );
  expect(conditionInWords({ ...unsure, is: 'over' }, NOW)).toMatch(
    /^\*\*What was wrong with catalog is over\.\*\*/u,
  );
});
