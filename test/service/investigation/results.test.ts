import { describe, expect, it } from 'vitest';
import { InvestigationResults, MetricData } from '../../../src/contract/answers.ts';
import { StoredFindings } from '../../../src/contract/schema.ts';
import type { Fault, FaultKind } from '../../../src/demo/shop/faults.ts';
import { createShop } from '../../../src/demo/shop/shop.ts';
import { amount } from '../../../src/service/investigation/format.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import type { Investigation } from '../../../src/service/investigation/types.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { causeIn, MINUTE, NAMES, run, trialOf } from './cases.ts';

const kinds = Object.keys(NAMES).filter((kind): kind is FaultKind => kind in NAMES);
const noon = Date.UTC(2026, 2, 17, 12, 0);

function poolTrial(service: string | null = 'checkout-api') {
  const fault = { kind: 'connection_pool' as const, service: 'payments', from: noon, to: noon + 30 * MINUTE };
  return { seed: 5, fault, service, triggeredAt: noon + 8 * MINUTE };
}

function referencesIn({ results }: Investigation): string[] {
  const { rootCause, causalTreeV2, timeline } = results;
  const evidence = [...(rootCause.relevantEvidence ?? []), ...(rootCause.irrelevantEvidence ?? [])];
  return [
    ...evidence.flatMap(({ artifacts }) => artifacts ?? []).map(({ documentId }) => documentId ?? ''),
    ...(causalTreeV2.nodes ?? [])
      .flatMap((node) => node.evidence ?? [])
      .map(({ documentId }) => documentId ?? ''),
    ...timeline.flatMap((entry) => entry.evidence ?? []).map(({ artifactId }) => artifactId ?? ''),
  ];
}

/** Each sentence on a metric that moved, with the artifact that it names. */
function movementsIn({ results: { rootCause, timeline, causalTreeV2 } }: Investigation) {
  const evidence = [...(rootCause.relevantEvidence ?? []), ...(rootCause.irrelevantEvidence ?? [])];
  return [
    ...evidence.map(({ title, artifacts }) => ({ text: title, id: artifacts?.[0]?.documentId })),
    ...timeline.map((entry) => ({ text: entry.description, id: entry.evidence?.[0]?.artifactId })),
    ...(causalTreeV2.nodes ?? [])
      .filter(({ nodeType }) => nodeType !== 'cause')
      .map((node) => ({ text: node.description, id: node.evidence?.[0]?.documentId })),
  ].flatMap(({ text = '', id }) => {
    const [, subject = '', worst = ''] = /^(\S+ .*) (?:rose|fell) from \S.* to (.+?)\.?$/u.exec(text) ?? [];
    return subject === '' ? [] : [{ subject, worst, id }];
  });
}

const FIGURE = /(?<![\w:.-])\d[\d,]*(?:\.\d+)?(?:%| (?:ms|s|min|MiB|cores?|\w+\/s)\b)/gu;

/** Figures with a unit, without lengths of time between two events. */
function figuresIn(text: string): string[] {
  const told = text
    .replaceAll(/`[^`]*`|"[^"]*"/gu, '')
    .replaceAll(/\d[\d.,]* (?:s|min|h|days) (?:before|after|later)/gu, '');
  return told.match(FIGURE) ?? [];
}

/** Those that are in none of the artifacts. What was usual sums up many points, and lies between them. */
function unbacked(text: string, said: readonly string[]): string[] {
  const usual = [...text.matchAll(/(?:from|normally) (\d[\d,.]*\d|\d)( [\w/]+|%)/gu)].map(
    ([, value, unit]) => `${value}${unit}`,
  );
  const parts = (figure: string) => /^([\d,.]+)(.*)$/u.exec(figure) ?? [];
  const sizes = (unit: string | undefined) =>
    said.flatMap((one) => (parts(one)[2] === unit ? Number(parts(one)[1]?.replaceAll(',', '')) : []));
  const isBetween = (figure: string) => {
    const [, value = '', unit] = parts(figure);
    const size = Number(value.replaceAll(',', ''));
    return sizes(unit).some((other) => other <= size) && sizes(unit).some((other) => other >= size);
  };
  return figuresIn(text).filter((one) => !said.includes(one) && !(usual.includes(one) && isBetween(one)));
}

/** What some artifacts say: the points of metrics, their share of a limit, their summaries. */
function saidBy(artifacts: Investigation['artifacts'], refs: readonly { documentId?: string | undefined }[]) {
  return artifacts
    .filter(({ id, type }) => type === 'metric' && refs.some(({ documentId }) => documentId === id))
    .flatMap(({ data, summary }) => {
      const { dataPoints = [], unit = '' } = MetricData.parse(data);
      const values = dataPoints.map(({ asDouble }) => Number(asDouble));
      const limit = /limit ([\d,.]+)/u.exec(summary)?.[1];
      const shares = limit ? values.map((value) => amount(value / sizeOf(limit, unit), '1')) : [];
      return [...values.map((value) => amount(value, unit)), ...shares, ...figuresIn(summary)];
    });
}

function sizeOf(limit: string, unit: string): number {
  return Number(limit.replaceAll(',', '')) * (unit === 'By' ? 1_048_576 : 1);
}

describe.each(kinds)('the results for %s', async (kind) => {
  const found = await run(trialOf(kind, 1));

  it('have each number of a sentence in the artifact that it names', () => {
    const movements = movementsIn(found);
    expect(movements.length).toBeGreaterThan(0);
    for (const { subject, worst, id } of movements) {
      const artifact = found.artifacts.find((one) => one.id === id);
      const { dataPoints = [], unit = '' } = MetricData.parse(artifact?.data);
      expect(artifact?.summary).toMatch(`${subject}. `);
      const values = dataPoints.map(({ asDouble }) => amount(Number(asDouble), unit));
      expect([...values, ...values.map((value) => value.replace(/ \w+$/u, ''))]).toContain(worst);
    }
  });

  it('have each figure of the evidence in the artifacts beside it, and each of the verdict in some of them', () => {
    const { relevantEvidence = [], irrelevantEvidence = [], rootCauseSummary } = found.results.rootCause;
    const measured = [...relevantEvidence, ...irrelevantEvidence].filter(
      ({ artifacts }) => artifacts?.[0]?.dataType === 'metric',
    );
    for (const { title, description, artifacts } of measured)
      expect(unbacked(`${title}. ${description}`, saidBy(found.artifacts, artifacts ?? []))).toEqual([]);
    const all = relevantEvidence.flatMap(({ artifacts }) => artifacts ?? []);
    // How many requests failed is counted, and is in no single series.
    const cause = rootCauseSummary?.split('\n')[0] ?? '';
    expect(unbacked(cause, saidBy(found.artifacts, all)), cause).toEqual([]);
    expect(measured.flatMap(({ description = '' }) => figuresIn(description)).length).toBeGreaterThan(0);
  });

  it('are whole, by the contract', async () => {
    const { facts, trace, ...results } = found.results;
    expect(StoredFindings.parse(found.results)).toEqual(found.results);
    expect(InvestigationResults.parse(results)).toEqual(results);
    expect(facts.length).toBeGreaterThan(0);
    expect(trace.map(({ step }) => step)).toEqual([
      'observe',
      'subject',
      'facts',
      'place',
      'explain',
      'inside',
      'prove',
    ]);
  });

  it('refer only to artifacts that are there, and to every one of them', async () => {
    expect([...new Set(referencesIn(found))].sort()).toEqual(found.artifacts.map(({ id }) => id).sort());
  });

  it('have edges between nodes that are there, from one cause to one outcome', async () => {
    const { causalTree, causalTreeV2 } = found.results;
    const ids = (causalTree.nodes ?? []).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { source, target } of causalTree.edges ?? [])
      expect(ids).toEqual(expect.arrayContaining([source, target]));
    expect((causalTreeV2.edges ?? []).map(({ from, to }) => [from, to])).toEqual(
      (causalTree.edges ?? []).map(({ source, target }) => [source, target]),
    );
    expect((causalTreeV2.nodes ?? []).filter(({ nodeType }) => nodeType === 'cause')).toHaveLength(1);
  });

  it('tell what happened in order, the alert among it', async () => {
    const { timeline } = found.results;
    const times = timeline.map(({ timestamp }) => timestamp ?? '');
    expect(times).toEqual([...times].sort());
    expect(timeline.map(({ type }) => type)).toEqual(expect.arrayContaining(['onset', 'alert']));
  });

  it('say what to do at once and later, in steps, with a prompt', async () => {
    const actions = found.results.remediation.actions ?? [];
    expect(actions.map(({ category }) => category)).toEqual(['immediate', 'follow_up']);
    for (const { markdownPrompt, steps } of actions) {
      expect(steps?.some(({ required }) => required)).toBe(true);
      expect(markdownPrompt).toContain(found.results.rootCause.rootCauseSummary?.split('\n')[0]);
    }
  });

  it('have titles short enough to be read', async () => {
    const { rootCause, causalTree, remediation, timeline } = found.results;
    const titled = [
      ...(rootCause.relevantEvidence ?? []),
      ...(rootCause.irrelevantEvidence ?? []),
      ...(causalTree.nodes ?? []),
      ...(remediation.actions ?? []),
      ...timeline,
    ];
    expect(
      titled.map(({ title }) => title ?? '').filter((title) => title.length > 120 || title === ''),
    ).toEqual([]);
  });
});

describe('the results', () => {
  it('name service, kind and times, and where the problem was felt', async () => {
    const { results } = await run(poolTrial());
    const [cause, hit] = results.rootCause.rootCauseSummary?.split('\n') ?? [];
    expect(cause).toBe(
      'Connection-pool exhaustion in payments: 40 of 40 connections in use since 12:01 UTC (normally 12).',
    );
    expect(hit).toMatch(
      /^About [\d,]+ of [\d,]+ requests to checkout-api have failed since 12:01 UTC \([\d.]+%, as of 12:\d\d UTC\)\.$/u,
    );
    expect(results.rootCause.incidentOverview).toMatch(
      /^checkout-api p95 latency rose from 2\d\d ms to [\d.]+ s at 12:01 UTC\. Caused by payments; also affected: gateway, web\. Ongoing\.$/u,
    );
    expect(results.causalTree.edges).toEqual([
      { id: 'payments→checkout-api', source: 'payments', target: 'checkout-api' },
    ]);
  });

  it('are the same each time', async () => {
    expect(await run(poolTrial())).toEqual(await run(poolTrial()));
  });

  it('change with the fault', async () => {
    const trial = poolTrial();
    const other = await run({ ...trial, fault: { ...trial.fault, kind: 'bad_deploy' } });
    expect(other.results.rootCause.rootCauseSummary).toMatch(
      /^Bad deploy of payments: [\d.]+ rolled out at 11:5\d UTC/u,
    );
    expect(other.results.remediation.actions?.[0]?.title).toMatch(/^Roll back payments to [\d.]+$/u);
  });

  it('speak first of the symptom that the alert speaks of', async () => {
    const overview = async (title: string) =>
      (await run(poolTrial(), title)).results.rootCause.incidentOverview ?? '';
    expect(await overview('HighErrorRate')).toMatch(/^checkout-api error rate/u);
    expect(await overview('Checkout is slow')).toMatch(/^checkout-api p95 latency/u);
  });

  it('hold metrics as whole OpenTelemetry data points, up to now and no further', async () => {
    const trial = poolTrial();
    const metrics = (await run(trial)).artifacts.filter(({ type }) => type === 'metric');
    expect(metrics.length).toBeGreaterThanOrEqual(3);
    for (const { data } of metrics) {
      const { dataPoints = [], unit, metricType } = MetricData.parse(data);
      expect(['gauge', 'sum']).toContain(metricType);
      expect(unit).not.toBe('');
      expect(dataPoints.length).toBeGreaterThan(30);
      const times = dataPoints.map(({ timeUnixNano }) => BigInt(timeUnixNano ?? '0'));
      expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1)));
      expect((times.at(-1) ?? 0n) <= BigInt(trial.triggeredAt + 5000) * 1_000_000n).toBe(true);
      for (const point of dataPoints) expect(Number.isFinite(point.asDouble)).toBe(true);
    }
  });

  it('list what was ruled out', async () => {
    const titles =
      (await run(poolTrial())).results.rootCause.irrelevantEvidence?.map(({ title }) => title) ?? [];
    expect(titles).toContain('payments-db answers as before');
  });

  it('say so where an ended fault was over before the alert came', async () => {
    const trial = poolTrial();
    const fault = { ...trial.fault, to: noon + 10 * MINUTE };
    const { results } = await run({ ...trial, fault, triggeredAt: noon + 18 * MINUTE });
    expect(results.rootCause.incidentOverview).toMatch(/Over since 12:1\d UTC\.$/u);
    expect(results.timeline.map(({ type }) => type)).toContain('outcome');
  });
});

describe.each(kinds)('%s that was over when the alert came', (kind) => {
  const { fault, ...trial } = trialOf(kind, 1);
  const to = fault.from + 10 * MINUTE;

  it.each([20, 40])('is said to be over %i min later, with its cause and what shows it', async (lag) => {
    const { results, artifacts } = await run({
      ...trial,
      fault: { ...fault, to },
      triggeredAt: to + lag * MINUTE,
    });
    const { incidentOverview = '', relevantEvidence = [], irrelevantEvidence = [] } = results.rootCause;
    expect(incidentOverview).toMatch(/^Over since 07:2\d UTC: [\w-]+ .* to .* at 07:1\d UTC\. The cause: /u);
    expect(incidentOverview).toContain(`The cause: ${NAMES[kind]} ${fault.service}`);
    expect(incidentOverview).toMatch(/The alert came \d+ min after it was over\.$/u);
    expect(results.rootCause.rootCauseSummary).toBeUndefined();
    expect(relevantEvidence[0]?.description).toMatch(/^From 07:1\d UTC to 07:2\d UTC\./u);
    const shown = artifacts.find(({ id }) => id === relevantEvidence[0]?.artifacts?.[0]?.documentId);
    const { dataPoints = [] } = MetricData.parse(shown?.data);
    expect(Number(dataPoints[0]?.timeUnixNano) / 1e6).toBeLessThan(fault.from - 15 * MINUTE);
    expect(
      irrelevantEvidence.filter(
        ({ title }) => title?.includes(fault.service) && /Deploy|Set|back/u.test(title),
      ),
    ).toEqual([]);
  });
});

describe('where nothing is wrong', async () => {
  const { results, artifacts } = await run({ ...poolTrial('payments'), fault: null });

  it('there is an overview, and no root cause', async () => {
    expect(results.rootCause.rootCauseSummary).toBeUndefined();
    expect(results.rootCause.incidentOverview).toMatch(/^No cause found\. /u);
    expect(results.rootCause.relevantEvidence).toEqual([]);
    expect(results.remediation.actions).toEqual([]);
    expect(StoredFindings.parse(results)).toEqual(results);
  });

  it('it is said what was looked at', async () => {
    expect(results.rootCause.irrelevantEvidence?.length).toBeGreaterThan(0);
    expect(artifacts.length).toBeGreaterThan(0);
  });
});

describe('trouble elsewhere', () => {
  it('is not blamed for an alert about a service that it does not reach', async () => {
    const { results } = await run(poolTrial('inventory'));
    expect(results.rootCause.rootCauseSummary).toBeUndefined();
    expect(results.rootCause.irrelevantEvidence?.map(({ title }) => title)).toContain(
      'payments is degraded too',
    );
  });

  it('next to the named service is found, and said to be next to it', async () => {
    const { results } = await run(poolTrial('payments-db'));
    expect(results.rootCause.incidentOverview).toMatch(
      /^payments-db itself looks normal, but its neighbor payments/u,
    );
    expect(results.rootCause.relevantEvidence?.[0]?.confidence).toBe('high');
  });
});

describe('three faults at once', () => {
  const trigger = noon;
  const faults: Fault[] = [
    { kind: 'bad_deploy', service: 'payments', from: trigger - 22 * MINUTE, to: trigger + 20 * MINUTE },
    { kind: 'slow_query', service: 'orders-db', from: trigger - 15 * MINUTE, to: trigger + 20 * MINUTE },
    { kind: 'config_change', service: 'catalogue', from: trigger - 5 * MINUTE, to: trigger + 20 * MINUTE },
  ];

  it.each([
    ['HighErrorRate', 'catalogue', 'Bad configuration change on catalogue'],
    ['HighLatency', 'inventory', 'Slow query on orders-db'],
    ['HighErrorRate', 'checkout-api', 'Bad deploy of payments'],
  ])('are told apart: %s of %s is: %s', async (title, service, cause) => {
    const shop = createShop({ seed: 2, injected: () => faults });
    const issue = {
      title,
      description: '',
      environment: 'production',
      triggeredAt: trigger,
      service,
      context: {},
    };
    const options = { id: () => 'id', now: trigger + 2000, budget: UNLIMITED };
    expect(causeIn(await investigate(issue, shop, options))).toBe(cause);
  });
});

describe('a trigger ahead of the clock', () => {
  it('is taken for now', async () => {
    const trial = poolTrial();
    const shop = createShop({ seed: 5, injected: () => [trial.fault], recurring: false });
    const issue = {
      title: 'x',
      description: '',
      environment: 'production',
      service: 'payments',
      context: {},
    };
    const at = (triggeredAt: number) =>
      investigate({ ...issue, triggeredAt }, shop, {
        id: () => 'id',
        now: trial.triggeredAt,
        budget: UNLIMITED,
      });
    expect(await at(trial.triggeredAt + 60 * MINUTE)).toEqual(await at(trial.triggeredAt));
  });
});
