import { expect, it } from 'vitest';
import { Naming, withoutPodSuffix } from '../../../../src/service/telemetry/prometheus/naming.ts';
import { SCRAPED, WORKLOAD } from '../../../../src/service/telemetry/prometheus/recognisers/recogniser.ts';

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

it.each([
  ['cart-7d9f8b6c5d-x2x4z', 'cart'],
  ['cart-api-7d9f8b6c5d-x2x4z', 'cart-api'],
  ['orders-db-0', 'orders-db'],
  ['node-agent-x2x4z', 'node-agent'],
  ['cart', 'cart'],
])('the pod %s belongs to %s', (pod, workload) => {
  expect(withoutPodSuffix(pod)).toBe(workload);
});
