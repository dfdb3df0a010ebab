import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known, type MetricInfo, type Series } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { madeSource } from '../../support/made-source.ts';
import { anIssue, issuesOf } from './an-issue.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 27, 18, 0);
const BEGAN = NOW - 40 * MINUTE;
const METRICS: MetricInfo[] = [
  {
    name: 'grpc_server_handled_total',
    type: 'counter',
    help: '',
    unit: '',
    labels: {
      grpc_method: ['WeighFlour', 'SiftFlour'],
      grpc_code: ['OK', 'Internal', 'NotFound'],
      zone: ['north', 'south'],
      job: ['scales'],
    },
  },
  { name: 'oven_data_age_seconds', type: 'gauge', help: '', unit: 's', labels: { job: ['oven'] } },
];

/** What Prometheus would say: a third of what is weighed fails since it began, and nothing of what is sifted. */
const evaluate: TelemetrySource['evaluate'] = async (expression, { from, to }) => {
  if (/^sum\((?:rate|increase)\(.*Sift.*Internal/u.test(expression)) return known([]);
  const zones = expression.includes('by (zone)') ? ['north', 'south'] : [''];
  const worth = (at: number, zone: string) =>
    expression.startsWith('0 *')
      ? 0
      : expression.includes('Internal') && !expression.includes(' / ')
        ? 30
        : expression.includes(' / ')
          ? at < BEGAN || zone === 'south'
            ? 0
            : 1 / 3
          : 90;
  const times = Array.from({ length: Math.floor((to - from) / MINUTE) + 1 }, (_, i) => from + i * MINUTE);
  return known(
    zones.map(
      (zone): Series => ({
        ...{ service: '', instance: null, edge: null, limit: null, query: null, providerUrl: null },
        labels: zone === '' ? {} : { zone },
        signal: {
          ...{ id: 'x', name: 'x', label: 'x', measure: 'other', metricType: 'gauge', bad: 'high', unit: '' },
        },
        points: {
          times: Float64Array.from(times),
          values: Float64Array.from(times, (at) => worth(at, zone)),
        },
        provider: 'prometheus',
      }),
    ),
  );
};

const telemetry: TelemetrySource = {
  ...madeSource({
    services: [{ name: 'scales' }, { name: 'oven' }, { name: 'shop-window' }],
    metrics: [
      { service: 'scales', measure: 'requests', unit: '{request}/s', at: () => 5 },
      {
        service: 'scales',
        measure: 'errors',
        label: 'error rate',
        unit: '1',
        at: (at) => (at < BEGAN ? 0 : 0.2),
      },
    ],
  }),
  catalog: async () => known(METRICS),
  evaluate,
};

async function ask(question: string): Promise<string> {
  const context = { now: NOW, before: null, issues: issuesOf([]) };
  return (await answerOf(question, context, telemetry, { id: () => 'id', budget: UNLIMITED })).answer;
}

it.each([
  [
    'of one method, only its failures are counted',
    'how many weighflour failed on scales in the last hour?',
    '**`grpc_server_handled_total` of job scales, grpc_method WeighFlour, grpc_code Internal: 30 of 90 (33.3%) from 17:00 UTC to now**.',
  ],
  [
    'none is a number',
    'how many SiftFlour failed on scales in the last hour?',
    '**`grpc_server_handled_total` of job scales, grpc_method SiftFlour, grpc_code Internal: 0 of 90 (0%) from 17:00 UTC to now**.',
  ],
  [
    'a share and its parts are one answer',
    'what % of WeighFlour fails, and in which zone?',
    '**`failing share of grpc_server_handled` of grpc_method WeighFlour: 33.3% now** (median 0%, max 33.3% at 17:20 UTC in the last 3 h, off the median since 17:20 UTC).\n\n- `north`: 33.3%\n- `south`: 0%',
  ],
  [
    'since when and how much are one answer, and calls are what is counted',
    'since when and how many % of calls of scales fail now',
    '**Since 17:20 UTC** it has not been as before.\n\n**scales error rate: 20% now**',
  ],
  [
    'what only another thing has is shown, and said to be of that',
    'how old is the data in the shop-window?',
    'shop-window does not report `oven_data_age_seconds`: it is of oven.\n\n**`oven_data_age_seconds`: 2 min now**',
  ],
  [
    'what nothing counts is not asked back',
    'how many customers called support today?',
    'I can’t tell: none of the 2 metrics here has *customers* and *support* in its name, its description or its labels.',
  ],
])('%s: %s', async (_what, question, beginning) => {
  expect((await ask(question)).slice(0, beginning.length)).toBe(beginning);
});

it('what the title of its issue calls so is the issue, and no thing that has that word in its name', async () => {
  const issue = anIssue({
    number: 7,
    title: 'Slow window at the bakery',
    triggeredAt: BEGAN,
    service: 'scales',
    cause: { service: 'scales', summary: 'The belt is worn.' },
  });
  const inThread = async (title: string) => {
    const thread = { number: 7, title, service: 'scales', root_cause: null };
    const asked = { question: 'why is the window slow', issue: thread, said: [], asked: [], files: [] };
    const context = { now: NOW, before: null, issues: issuesOf([issue]) };
    return (await answerOf(asked, context, telemetry, { id: () => 'id', budget: UNLIMITED })).answer;
  };
  expect(await inThread(issue.title)).toMatch(/^\*\*#7:\*\* The belt is worn\./u);
  expect(await inThread('Belt stuck')).toMatch(/shop-window/u);
});
