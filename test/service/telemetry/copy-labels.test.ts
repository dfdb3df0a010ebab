import { expect, it } from 'vitest';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { CopyFilter, copyOf } from '../../../src/service/telemetry/copy-labels.ts';

it.each([
  [{ cluster: 'us' }, { cluster: 'us' }],
  [
    { 'k8s.cluster.name': 'us', 'cloud.region': 'west' },
    { cluster: 'us', region: 'west' },
  ],
  [{ 'resource.attributes.deployment.environment': 'prod' }, { environment: 'prod' }],
  [{ 'orchestrator.cluster.name': 'us' }, { cluster: 'us' }],
  [{ envoy_cluster_name: 'press', cluster: '', app: 'press' }, undefined],
])('a line with %j is of %j', (fields, copy) => {
  expect(copyOf(fields)).toEqual(copy);
});

it.each([
  [{ cluster: 'EU' }, { cluster: 'us' }, true],
  [{ cluster: 'US' }, { cluster: 'us' }, false],
  [{ cluster: 'us-east' }, { cluster: 'us' }, true],
  [{ environment: 'production' }, { deployment_environment: 'prod' }, false],
  [{ region: 'west' }, { cluster: 'us' }, false],
  [undefined, { cluster: 'us' }, false],
])('what says %j is left out of work about %j: %s', (copy, labels, isOther) => {
  const filter = new CopyFilter();
  const budget = { ...UNLIMITED };
  filter.focus(labels, budget);
  expect(filter.isOther(copy, budget)).toBe(isOther);
  expect(filter.isOther(copy, UNLIMITED)).toBe(false);
});

it('a trace is left out if it went through other copies alone', () => {
  const filter = new CopyFilter();
  const budget = { ...UNLIMITED };
  filter.focus({ cluster: 'us' }, budget);
  const span = (traceId: string, cluster?: string) => ({ traceId, ...(cluster && { copy: { cluster } }) });
  const spans = [span('a', 'eu'), span('a'), span('b', 'eu'), span('b', 'us'), span('c')];
  expect(filter.ofTraces(spans, budget).map(({ traceId }) => traceId)).toEqual(['b', 'b', 'c']);
});
