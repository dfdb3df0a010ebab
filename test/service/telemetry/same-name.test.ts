import { describe, expect, it } from 'vitest';
import { copiesOf } from '../../../src/service/telemetry/same-name.ts';

const known = (name: string, instances?: string[]) => ({
  name,
  kind: 'unknown' as const,
  aliases: [],
  workload: null,
  ...(instances && { instances }),
});

describe('what a change calls by one name', () => {
  it.each([
    ['a cache by the ordinal of its pod', 'usage-cache', [known('usage-cache-0')], ['usage-cache-0']],
    [
      'a database by its primary and its replica',
      'pg-main',
      [known('pg-main-1'), known('pg-main-2'), known('pg-mainframe-1')],
      ['pg-main-1', 'pg-main-2'],
    ],
    [
      'a broker by its addresses, where the exporter’s job names it',
      'orders-mq',
      [known('rabbitmq', ['orders-mq-0.mq.prod.internal:15692', 'orders-mq-1.mq.prod.internal:15692'])],
      ['rabbitmq'],
    ],
    [
      'a workload by a pod of a ReplicaSet',
      'label_printing',
      [known('label-printing-7d9f8b6c5d-x2x4z')],
      ['label-printing-7d9f8b6c5d-x2x4z'],
    ],
    [
      'not the job that scrapes it as well',
      'usage-cache',
      [known('usage-cache-0'), known('redis', ['usage-cache-0:9121'])],
      ['usage-cache-0'],
    ],
  ])('is %s', (_, name, services, copies) => {
    expect(copiesOf(name, services)).toEqual(copies);
  });

  it.each([
    ['something that is known by that name itself', 'payments', [known('payments'), known('payments-2')]],
    ['a part of another name', 'usage', [known('usage-cache'), known('usage-cache-0')]],
    ['a version', 'api-v', [known('api-v2')]],
    ['an exporter of several things', 'pg-main', [known('postgres', ['pg-main-1:9187', 'pg-audit-1:9187'])]],
    ['an address', '10', [known('db', ['10.0.3.7:9187'])]],
  ])('has no copies that are %s', (_, name, services) => {
    expect(copiesOf(name, services)).toEqual([]);
  });
});
