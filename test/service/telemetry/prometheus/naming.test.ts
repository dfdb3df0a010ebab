import { expect, it } from 'vitest';
import { Naming, withoutPodSuffix } from '../../../../src/service/telemetry/prometheus/naming.ts';
import { SCRAPED, scraped, WORKLOAD } from '../../../../src/service/telemetry/prometheus/promql.ts';

it('makes one service of the names that conventions give it', () => {
  const naming = new Naming();
  expect(naming.service({ service_name: 'cart' }, SCRAPED)).toBe('cart');
  expect(naming.service({ job: 'shop/cart' }, SCRAPED)).toBe('cart');
  expect(naming.service({ workload: 'cart', namespace: 'shop' }, WORKLOAD)).toBe('cart');
  expect(naming.end({ server: 'outbound|80||cart.shop.svc.cluster.local' }, ['server'])).toBe('cart');
  expect(naming.end({ server: 'cart.shop.svc.cluster.local:8080' }, ['server'])).toBe('cart');
  expect(naming.end({ server: 'Cart' }, ['server'])).toBe('cart');
  expect(naming.services().map(({ name }) => name)).toEqual(['cart']);
});

it('keeps services of one name in two namespaces apart', () => {
  const naming = new Naming();
  expect(naming.service({ app: 'cart', namespace: 'shop' }, SCRAPED)).toBe('cart');
  expect(naming.service({ app: 'cart', namespace: 'staging' }, SCRAPED)).toBe('staging/cart');
});

it('joins what was scraped with the workload that its pods belong to', () => {
  const naming = new Naming();
  naming.service({ job: 'checkout-metrics', namespace: 'shop' }, SCRAPED);
  naming.service({ workload: 'checkout', namespace: 'shop' }, WORKLOAD);
  naming.join({ name: 'checkout-metrics', namespace: 'shop' }, { name: 'checkout', namespace: 'shop' });
  expect(naming.services()).toMatchObject([
    { name: 'checkout-metrics', aliases: expect.arrayContaining(['checkout']) },
  ]);
});

it('takes an address outside of the cluster for an external service, and a user for none', () => {
  const naming = new Naming();
  expect(naming.end({ server_address: 'api.example.com' }, ['server_address'])).toBe('api.example.com');
  expect(naming.services()).toMatchObject([{ name: 'api.example.com', kind: 'external' }]);
  expect(naming.end({ client: 'user' }, ['client'])).toBeNull();
});

it('never calls a service an address of the own machine', () => {
  const naming = new Naming();
  const machine = { labels: ['nodename', 'instance', 'job'], namespace: [], kind: 'unknown' } as const;
  naming.isAt('127.0.0.1:8080', { name: 'cart', namespace: '' });
  for (const instance of ['127.0.0.1:9100', 'localhost:9100', '[::1]:9100', 'https://localhost/healthz'])
    expect(naming.service({ instance, job: 'node' }, machine)).toBe('node');
  expect(naming.service({ instance: '127.0.0.1:9100' }, machine)).toBeNull();
  expect(naming.end({ server_address: '127.0.0.1' }, ['server_address'])).toBeNull();
  expect(naming.services().map(({ name }) => name)).toEqual(['node']);
});

it.each([
  ['cart-7d9f8b6c5d-x2x4z', 'cart'],
  ['cart-api-7d9f8b6c5d-x2x4z', 'cart-api'],
  ['orders-db-0', 'orders-db'],
  ['node-agent-x2x4z', 'node-agent'],
  ['cart', 'cart'],
])('the pod %s belongs to %s', (pod, workload) => {
  expect(withoutPodSuffix(pod)).toBe(workload);
});

it.each([
  [{ job: 'postgres-exporter', instance: 'pg-ledger:9187' }, 'pg-ledger'],
  [{ job: 'postgres-exporter', instance: '10.0.0.4:9187', server: 'pg-ledger.grid.svc:5432' }, 'pg-ledger'],
  [{ job: 'redis', instance: 'redis://:secret@frames:6379' }, 'frames'],
  [{ job: 'postgres', instance: '10.0.0.4:9187' }, 'postgres'],
  [{ job: 'pg-ledger', instance: 'machine-7:9187' }, 'pg-ledger'],
])('names a database that is scraped as %j %s', (labels, name) => {
  expect(new Naming().service(labels, scraped('database'))).toBe(name);
});

it('takes the workload for the service where a job scrapes many', () => {
  const labels = { job: 'kubernetes-pods', namespace: 'grid', workload: 'ledger' };
  expect(new Naming().service(labels, SCRAPED)).toBe('ledger');
});

it('takes calls to an address for calls to what is there, unless several are', () => {
  const naming = new Naming();
  naming.isAt('10.0.0.4:8080', { name: 'ledger', namespace: 'grid' });
  naming.isAt('10.0.0.4:9100', { name: 'node', namespace: '' });
  naming.isAt('10.0.0.5:8080', { name: 'ledger', namespace: 'grid' });
  naming.isAt('10.0.0.5:8081', { name: 'roster', namespace: 'grid' });
  expect(naming.end({ server_address: '10.0.0.4' }, ['server_address'])).toBe('ledger');
  expect(naming.end({ server_address: '10.0.0.5' }, ['server_address'])).toBe('10.0.0.5');
});

it('never takes what a probe asks for the job that asks', () => {
  const naming = new Naming();
  naming.isAt('https://api.bank.example/ping', { name: 'uptime-http', namespace: '' });
  naming.isAt('gw.card.example', { name: 'blackbox-http', namespace: '' });
  const called = (server_address: string) => naming.end({ server_address }, ['server_address']);
  expect(called('api.bank.example')).toBe('api.bank.example');
  expect(called('gw.card.example')).toBe('gw.card.example');
});

it('makes one of a service and its short name in the cluster, in its own namespace alone', () => {
  const naming = new Naming();
  naming.service({ job: 'ledger', namespace: 'grid' }, SCRAPED);
  naming.end({ server_address: 'ledger.grid' }, ['server_address']);
  naming.end({ server_address: 'ledger.other' }, ['server_address']);
  naming.joinHosts();
  expect(naming.services().map(({ name, aliases }) => [name, aliases])).toEqual([
    ['ledger', ['ledger.grid']],
    ['ledger.other', []],
  ]);
});
