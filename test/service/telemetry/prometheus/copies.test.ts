import { describe, expect, it } from 'vitest';
import { NO_POINTS } from '../../../../src/service/telemetry/model.ts';
import {
  copiesFor,
  copiesIn,
  matchersOf,
  separating,
} from '../../../../src/service/telemetry/prometheus/copies.ts';

const row = (labels: Record<string, string>) => ({ labels, points: NO_POINTS });
const rows = (label: string, services: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(services).flatMap(([value, names]) => names.map((job) => row({ job, [label]: value })));

describe('the copies of a system', () => {
  it('are the values of a label under which the same services are', () => {
    const found = rows('cluster', { eu: ['cart', 'search', 'mail'], us: ['cart', 'search'] });
    expect(copiesIn(found, ['cluster'])).toEqual([{ cluster: 'eu' }, { cluster: 'us' }]);
  });

  it('are none where each value has services of its own, or there is one value', () => {
    expect(
      copiesIn(rows('cluster', { kafka: ['topics', 'brokers'], web: ['cart', 'mail'] }), ['cluster']),
    ).toEqual([]);
    expect(copiesIn(rows('region', { eu: ['cart', 'search'] }), ['region'])).toEqual([]);
  });

  it('are none where the label is one of few services only', () => {
    const databases = rows('cluster', { rates: ['postgres', 'pgbouncer'], stays: ['postgres', 'pgbouncer'] });
    const others = ['web', 'booking', 'doors'].map((job) => row({ job }));
    expect(copiesIn([...databases, ...others], ['cluster'])).toEqual([]);
    expect(copiesIn([...databases, ...others.slice(0, 2)], ['cluster'])).toHaveLength(2);
  });

  it('are told apart by all labels that separate them', () => {
    const found = [
      ['eu', 'prod'],
      ['eu', 'staging'],
      ['us', 'prod'],
    ].flatMap(([region = '', stage = '']) => ['cart', 'mail'].map((job) => row({ job, region, stage })));
    const copies = copiesIn(found, ['region', 'stage']);
    expect(copies).toHaveLength(3);
    expect(copiesFor({ region: 'eu', stage: 'prod' }, copies)).toEqual({
      possible: [{ region: 'eu', stage: 'prod' }],
    });
    expect(copiesFor({ region: 'eu' }, copies)).toEqual({
      possible: [
        { region: 'eu', stage: 'prod' },
        { region: 'eu', stage: 'staging' },
      ],
    });
  });
});

it.each([
  ['cluster', true],
  ['k8s_cluster_name', true],
  ['deployment_environment', true],
  ['tenant_id', true],
  ['envoy_cluster_name', false],
  ['prometheus_replica', false],
  ['destination_cluster', false],
])('%s may separate copies: %s', (label, may) => {
  expect(separating([label])).toEqual(may ? [label] : []);
});

it('finds the copy of an alert that calls the label otherwise, and says so if there is none', () => {
  const copies = [{ k8s_cluster_name: 'eu' }, { k8s_cluster_name: 'us' }];
  expect(copiesFor({ cluster: 'US' }, copies)).toEqual({ possible: [{ k8s_cluster_name: 'us' }] });
  expect(copiesFor({ cluster: 'asia' }, copies)).toEqual({
    missing: 'The alert is about cluster asia, which Prometheus does not have (it has eu, us).',
  });
  expect(copiesFor({ severity: 'page' }, copies)).toEqual({ possible: copies });
});

it('reads of a copy also what has no such label, and takes its name literally', () => {
  expect(matchersOf({ cluster: 'a.b' })).toEqual([String.raw`cluster=~"a\\.b|"`]);
});
