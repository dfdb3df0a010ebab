import { expect, it } from 'vitest';
import { composeRequest } from '../../../src/bot/asking/request.ts';
import { answerOf, lookUp } from '../../../src/service/agent/answer.ts';
import { metric } from '../../../src/service/agent/metric.ts';
import { type Budget, UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { madeSource } from '../../support/made-source.ts';
import { noise, red } from '../investigation/freight.ts';
import { anIssue, issuesOf } from './an-issue.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 27, 18, 0);
const BROKEN = NOW - 30 * MINUTE;

function shopOf(cluster: string): TelemetrySource {
  const errors = (at: number) =>
    (cluster === 'us' && at > BROKEN ? 0.3 : 0.002) * (1 + 0.05 * noise(cluster.length, at));
  return madeSource({
    services: [{ name: 'checkout' }, { name: 'catalog' }],
    metrics: [
      ...red('checkout', { errors, latency: (at) => 0.05 * (1 + 0.05 * noise(2, at)) }),
      ...red('catalog', { errors: () => 0.001, latency: (at) => 0.02 * (1 + 0.05 * noise(3, at)) }),
    ],
  });
}

/** One server with the clusters `eu` and `us`, of which `us` is ill; what is asked of both at once is a failure. */
function twoClusters(): TelemetrySource {
  const shops: Readonly<Record<string, TelemetrySource>> = { eu: shopOf('eu'), us: shopOf('us') };
  const focused = new WeakMap<Budget, string>();
  const of = (budget: Budget): TelemetrySource => {
    const shop = shops[focused.get(budget) ?? ''];
    if (shop === undefined) throw new Error('both clusters were read as one');
    return shop;
  };
  return {
    ...shopOf('eu'),
    services: (window, budget) => of(budget).services(window, budget),
    edges: (window, budget) => of(budget).edges(window, budget),
    signals: (window, budget) => of(budget).signals(window, budget),
    series: (query, window, budget) => of(budget).series(query, window, budget),
    logs: (service, window, budget) => of(budget).logs(service, window, budget),
    changes: (window, budget) => of(budget).changes(window, budget),
    focus: ({ cluster = '' }, _window, budget) => void focused.set(budget, cluster),
    copies: async ({ cluster }) =>
      known(
        ['eu', 'us']
          .filter((name) => cluster === undefined || cluster === name)
          .map((name) => ({ labels: { cluster: name }, name: `cluster ${name}` })),
      ),
  };
}

const issueIn = (number: number, cluster: string) => ({
  ...anIssue({
    number,
    title: 'HighErrorRate checkout',
    triggeredAt: NOW - 20 * MINUTE,
    service: 'checkout',
  }),
  context: { service: 'checkout', tags: [`cluster:${cluster}`] },
});
const ISSUES = [issueIn(1, 'eu'), issueIn(2, 'us')];

async function ask(question: string, about: number | null = null) {
  const issue = ISSUES.find(({ number }) => number === about);
  const opening = issue === undefined ? null : { ...issue, rootCause: null, how: 'This is about' as const };
  const { thread } = composeRequest({ about: opening, talk: [], before: [], files: [], question });
  let id = 0;
  return answerOf(
    thread ?? question,
    { now: NOW, before: null, issues: issuesOf(about === null ? [] : ISSUES) },
    twoClusters(),
    { id: () => `a-${++id}`, budget: { ...UNLIMITED } },
  );
}

it.each([
  [1, /0\.2\d? ?%/u, /30|29|31/u],
  [2, /(?:29|30|31)[.\d]* ?%/u, /\b0\.2/u],
])('in the thread of #%i a question is about the cluster of its alert', async (about, has, hasNot) => {
  const { answer } = await ask('what is the error rate of checkout over the last 10 minutes?', about);
  expect(answer).toMatch(has);
  expect(answer).not.toMatch(hasNot);
  expect(answer).not.toContain('In cluster');
});

it('elsewhere each cluster is looked at by itself, and the ill one is named first', async () => {
  const { answer, artifacts } = await ask('is checkout ok?');
  expect(answer).toMatch(/^checkout is degraded in \*\*cluster us\*\*\.\n\n\*\*In cluster us\*\*\n\nNo\. /u);
  expect(answer).toMatch(/\*\*In cluster eu\*\*\n\nYes\. \*\*checkout is healthy/u);
  expect(new Set(artifacts.map(({ summary }) => /\((cluster \w+)\)$/u.exec(summary)?.[1]))).toEqual(
    new Set(['cluster us', 'cluster eu']),
  );
});

it('another issue that a question names is looked at in the cluster of its own alert', async () => {
  const { answer } = await ask('what is the error rate of checkout in #2 over the last 10 minutes?', 1);
  expect(answer).toMatch(/(?:29|30|31)[.\d]* ?%/u);
  expect(answer).not.toContain('In cluster');
});

it('what is the same everywhere is said once', async () => {
  const { answer } = await ask('what changed in the last hour?');
  expect(answer).not.toContain('In cluster');
});

it('programs get the data of each', async () => {
  let id = 0;
  const { data } = await lookUp(
    metric,
    { services: ['checkout'], metrics: ['error rate'] },
    { now: NOW, issues: issuesOf([]) },
    twoClusters(),
    { id: () => `a-${++id}`, budget: { ...UNLIMITED } },
  );
  expect(data).toMatchObject({ systems: [{ system: 'cluster us' }, { system: 'cluster eu' }] });
});
