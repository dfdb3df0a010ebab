import { describe, expect, it } from 'vitest';
import { withoutPodHashes, workloadOf } from '../../../src/bot/alerts/kubernetes.ts';

describe('the workload of a pod', () => {
  it.each([
    ['api-7d4b9c6f8d-xkzqp', 'api'],
    ['checkout-api-5d7c9', 'checkout-api'],
    ['api-gateway-7d9f', 'api-gateway'],
    ['fluentd-x7k2p', 'fluentd'],
    ['orders-db-0', 'orders-db-0'],
    ['orders-worker', 'orders-worker'],
    ['web-cluster-proxy', 'web-cluster-proxy'],
    ['checkout', 'checkout'],
    ['7d9f', '7d9f'],
    ['', ''],
  ])('%s is %s', (pod, workload) => {
    expect(workloadOf(pod)).toBe(workload);
  });

  it('stands for the pod in a sentence', () => {
    expect(withoutPodHashes('Pod api-gateway-7d9f in namespace payments-x7k2 is crash looping')).toBe(
      'Pod api-gateway in namespace payments is crash looping',
    );
  });
});
