import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { type MadeSystem, madeSource } from '../../support/made-source.ts';
import { deploy, MINUTE, ONSET, system } from '../investigation/freight.ts';

const NOW = ONSET + 8 * MINUTE;
const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };

const failing = (): MadeSystem =>
  system({
    changes: [deploy('tariffs', ONSET - MINUTE)],
    metrics: [
      {
        service: 'tariffs',
        measure: 'other',
        unit: '',
        label: 'job_slots_free',
        at: (at) => (at / MINUTE) % 7,
      },
    ],
  });

/** Answers to questions in one conversation, of a system that nobody configured. */
async function asked(
  questions: readonly string[],
  made: MadeSystem = failing(),
  now = NOW,
): Promise<string[]> {
  const history: Awaited<ReturnType<typeof answerOf>>[] = [];
  for (const question of questions) {
    const context = { now, before: history.at(-1)?.subject ?? null, issues };
    history.push(await answerOf(question, context, madeSource(made), { id: () => 'id', budget: UNLIMITED }));
  }
  return history.map(({ answer }) => answer);
}

describe('asked whether it is over, the agent', () => {
  it.each(['is it over?', 'is it still happening?', 'has portal recovered?', 'is portal still broken?'])(
    'says that it goes on, and where it stands: %s',
    async (question) => {
      const [, answer] = await asked(['why is portal slow?', question]);
      expect(answer).toMatch(
        /^(?:Yes|No)\. \*\*Ongoing\*\* since 10:22 UTC \(8 min\):\n\n- portal .* is \d+ ms now \(normally \d+ ms, peak .*\)$/u,
      );
    },
  );

  it('says since when it is over', async () => {
    const over = ONSET + 5 * MINUTE;
    const was = (usual: number, then: number) => (at: number) =>
      (at >= ONSET && at < over ? then : usual) * (1 + ((at / MINUTE) % 5) / 200);
    const made = system({
      felt: false,
      booking: {},
      tariffs: { latency: was(0.04, 0.6), errors: was(0.002, 0.3) },
    });
    const [answer] = await asked(['is tariffs fixed?'], made, ONSET + 14 * MINUTE);
    expect(answer).toMatch(/^Yes\. \*\*Over since 10:27 UTC\*\*, after 5 min:\n\n- tariffs /u);
  });

  it('says that it cannot tell where there are no newer samples', async () => {
    const [answer] = await asked(
      ['is tariffs over?'],
      system({
        tariffs: {
          latency: (at) => (at > NOW - 12 * MINUTE ? null : 0.04),
          errors: () => null,
          requests: () => null,
        },
      }),
    );
    expect(answer).toMatch(/^I can’t tell: the newest sample of tariffs is from 10:18 UTC\./u);
  });
});

describe('asked for a metric, the agent', () => {
  it('finds one by the name that the source has for it', async () => {
    const [answer, none] = await asked(['show job_slots_free of tariffs', 'show go_goroutines of tariffs']);
    expect(answer).toMatch(/^\*\*tariffs job_slots_free: \d now\*\*/u);
    expect(none).toBe(
      'tariffs does not report a metric called `go_goroutines` in that time, as far as I could read.',
    );
  });

  it('says that another percentile was read than the one that was asked for', async () => {
    const [p99, p95] = await asked(['p99 of booking?', 'p95 of booking?']);
    expect(p99).toMatch(/^I can’t give the p99, only the p95\.\n\n\*\*booking p95 latency: /u);
    expect(p95).not.toContain('I can’t give');
  });

  it('reads yesterday, and says the day', async () => {
    const [answer, day] = await asked([
      'error rate of tariffs yesterday between 08:00 and 09:00',
      'error rate of tariffs in the last 3 days',
    ]);
    expect(answer).toMatch(/^\*\*tariffs error rate: 0\.2% at 09:00 UTC on 2026-09-13\*\*/u);
    expect(day).toMatch(/^\*\*tariffs error rate: .*in the last 3 days/u);
  });

  it('knows no service that telemetry does not know, and lists those that it does', async () => {
    const [answer] = await asked(['errors of ledger']);
    expect(answer).toBe(
      'I know no service called ledger: there are no metrics for it. Services I know: portal, booking, tariffs, printer.',
    );
  });

  it.each([
    'error rate of everything',
    'latency for the last 2 hours',
    'errors of the shop',
    'latency of production',
  ])('takes no everyday word for a service: %s', async (question) => {
    const [answer] = await asked([question]);
    expect(answer).not.toContain('I know no service called');
  });
});

it('the agent gives examples of this system, and names some of many services', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `unit-${String.fromCharCode(97 + (i % 26))}${i}`);
  const [help] = await asked(['help'], { services: names.map((name) => ({ name })), metrics: [] });
  expect(help).not.toContain('{service}');
  expect(help).not.toMatch(/payments|checkout-api|orders-db/u);
  expect(help).toMatch(/ and 15 more\.\n/u);
});

it('the agent says why it cannot read telemetry', async () => {
  const reason = 'Prometheus at http://prometheus:9090 could not be reached.';
  const dark = { ...madeSource(failing()), services: async () => ({ known: false as const, reason }) };
  const { answer } = await answerOf('is tariffs ok?', { now: NOW, before: null, issues }, dark, {
    id: () => 'id',
    budget: UNLIMITED,
  });
  expect(answer).toBe(`I can’t tell: telemetry can’t be read right now. ${reason}`);
});

it('what depends on what is read from telemetry', async () => {
  const [who] = await asked(['who calls tariffs?']);
  expect(who).toContain('Called by booking.');
});
