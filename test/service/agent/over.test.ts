import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known, type Series } from '../../../src/service/telemetry/model.ts';
import { madeSource } from '../../support/made-source.ts';
import { MINUTE, ONSET, system } from '../investigation/freight.ts';
import { anIssue, issuesOf } from './an-issue.ts';

const ABOUT = 'This is about issue #7: HighErrorRate tariffs\nEnvironment: production.\n\nis it over?';
const HEALED = ONSET + 8 * MINUTE;

/** The answer about an issue of `tariffs` whose errors went from 0.2% to 30%, and are at `left` since. */
async function isItOver(left: number): Promise<string> {
  const issue = anIssue({
    number: 7,
    title: 'HighErrorRate tariffs',
    triggeredAt: ONSET + 4 * MINUTE,
    service: 'tariffs',
    cause: { service: 'tariffs', summary: 'Bad deploy of tariffs.' },
  });
  const errors = (at: number) => (at < ONSET ? 0.002 : at < HEALED ? 0.3 : left);
  const context = { now: HEALED + 10 * MINUTE, before: null, issues: issuesOf([issue]) };
  const made = madeSource(system({ felt: false, booking: {}, tariffs: { errors } }));
  const { answer } = await answerOf(ABOUT, context, made, { id: () => 'id', budget: UNLIMITED });
  return answer;
}

it('a system that has recovered but for its noise is over', async () => {
  expect(await isItOver(0.002)).toMatch(/^Yes\. \*\*Over since 10:30 UTC/u);
  expect(await isItOver(0.002)).not.toContain('Not quite');
  expect(await isItOver(0.022)).toMatch(
    /^Yes\. \*\*Over since 10:30 UTC[\s\S]*Not quite back to normal yet: less than a tenth of the rise is left\.$/u,
  );
});

it('one that has recovered in part is not', async () => {
  expect(await isItOver(0.08)).toMatch(/^No\. \*\*Ongoing\*\* since/u);
});

it.each([
  [
    HEALED,
    MINUTE,
    /^Yes\. \*\*Over since 10:30 UTC\*\*, after 8 min: its alert’s condition, `server_status\{state="DOWN"\} == 1`, has not fired since\.$/u,
  ],
  // Fifty seconds ago is long where there is a sample every five.
  [HEALED + 10 * MINUTE - 50_000, 5_000, /^Yes\. \*\*Over since 10:39 UTC\*\*/u],
  [
    HEALED + 10 * MINUTE,
    MINUTE,
    /^No\. \*\*Ongoing\*\*: its alert’s condition, `server_status\{state="DOWN"\} == 1`, still fires\.$/u,
  ],
])(
  'what no other metric shows is told by the expression of its alert: until %i, each %i ms',
  async (end, step, said) => {
    const expression = 'server_status{state="DOWN"} == 1';
    const issue = {
      ...anIssue({ number: 7, title: 'ServerDown', triggeredAt: ONSET, service: 'tariffs', cause: null }),
      context: { alertUrl: `http://prometheus/graph?g0.expr=${encodeURIComponent(expression)}&g0.tab=1` },
    };
    const made = madeSource(system({ felt: false, booking: {}, tariffs: {} }));
    const times = Float64Array.from({ length: (end - ONSET) / step + 1 }, (_, i) => ONSET + i * step);
    const signal = { id: 'rule', name: expression, label: 'rule', measure: 'other', unit: '' } as const;
    const series: Series = {
      signal: { ...signal, bad: 'either', metricType: 'gauge' },
      ...{ service: '', instance: null, edge: null, labels: {}, limit: null, providerUrl: null },
      ...{ query: expression, provider: 'test', points: { times, values: times.map(() => 1) } },
    };
    const source = {
      ...made,
      evaluate: async (asked: string) => known(asked === expression ? [series] : []),
    };
    const context = { now: HEALED + 10 * MINUTE, before: null, issues: issuesOf([issue]) };
    const { answer } = await answerOf(ABOUT, context, source, { id: () => 'id', budget: UNLIMITED });
    expect(answer).toMatch(said);
  },
);
