import { describe, expect, it } from 'vitest';
import { says, variant } from '../fixtures.ts';

const saying = (value: string, color = 'daa038') =>
  variant('kubewatch-updated', { color, fields: [{ title: 'kubewatch', value, short: false }] });

describe("an event of kubewatch's", () => {
  it.each([
    [
      'A `pod` in namespace `orders` has been `deleted`:\n`orders-worker`',
      'A pod in namespace orders has been deleted',
    ],
    ['A namespace `orders` has been `created`', 'A namespace orders has been created'],
    ['Node `ip-10-0-0-7` Rebooted : \nNodeRebooted', 'Node ip-10-0-0-7 Rebooted'],
  ])('%s is a notice, whatever its colour', (value, title) => {
    expect(says(saying(value, 'a30200'), 'format', 'kind', 'title', 'fingerprint')).toStrictEqual({
      format: 'kubewatch',
      kind: 'not_an_alert',
      title,
      fingerprint: null,
    });
  });

  it('is firing where a pod crashes, the same for each pod of the workload', () => {
    const crash = (pod: string) =>
      saying(`Pod \`${pod}\` in \`orders\` Crashed : \nCrashLoopBackOff back-off 5m0s`);
    expect(
      says(crash('api-7d4b9c6f8d-xkzqp'), 'kind', 'title', 'errorType', 'errorMessage', 'tags'),
    ).toStrictEqual({
      kind: 'firing',
      title: 'Pod api-7d4b9c6f8d-xkzqp in orders Crashed',
      errorType: 'CrashLoopBackOff',
      errorMessage: 'CrashLoopBackOff back-off 5m0s',
      tags: ['namespace:orders', 'pod:api-7d4b9c6f8d-xkzqp'],
    });
    expect(says(crash('api-5d8f9c7b6d-zzxcv'), 'fingerprint')).toStrictEqual(
      says(crash('api-7d4b9c6f8d-xkzqp'), 'fingerprint'),
    );
  });

  it('is firing while a node is not ready, and over when it is', () => {
    const down = saying('Node `ip-10-0-0-7` is Not Ready : \nNodeNotReady');
    const up = saying('Node `ip-10-0-0-7` is Ready : \nNodeReady');
    expect(says(down, 'kind', 'host')).toStrictEqual({ kind: 'firing', host: 'ip-10-0-0-7' });
    expect(says(up, 'kind', 'fingerprint')).toStrictEqual({ kind: 'resolved', ...says(down, 'fingerprint') });
  });
});
