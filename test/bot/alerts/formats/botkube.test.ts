import { describe, expect, it } from 'vitest';
import { messageOf, says } from '../fixtures.ts';

const ERROR = 'botkube-pod-error';

function changed(words: Record<string, string>, name = ERROR): unknown {
  return JSON.parse(
    Object.entries(words).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      JSON.stringify(messageOf(name)),
    ),
  );
}

describe("an event of Botkube's", () => {
  it.each(['created', 'updated', 'deleted', 'warning'])('%s is not an alert', (event) => {
    const message = changed({ ':exclamation:': ':bulb:', 'pods error': `pods ${event}` });
    expect(says(message, 'format', 'kind', 'title', 'fingerprint')).toStrictEqual({
      format: 'botkube',
      kind: 'not_an_alert',
      title: `v1/pods ${event}`,
      fingerprint: null,
    });
  });

  it('is one alert a workload and reason, whatever the pod', () => {
    const one = says(messageOf(ERROR), 'fingerprint');
    expect(says(changed({ '6c9f7d5b8c-x2kqp': '5d8f9c7b6d-zzxcv' }), 'fingerprint')).toStrictEqual(one);
    for (const words of [
      { BackOff: 'OOMKilled' },
      { staging: 'prod' },
      { '* orders"': '* cart"' },
      { worker: 'api' },
    ])
      expect(says(changed(words), 'fingerprint')).not.toStrictEqual(one);
  });

  it('calls its reason Type in newer versions, and names the node that an error is about', () => {
    const message = changed({
      'v1/pods': 'v1/nodes',
      'Kind:* Pod': 'Kind:* Node',
      'Reason:*': 'Type:*',
      'orders-worker-6c9f7d5b8c-x2kqp': 'ip-10-0-0-7',
    });
    expect(says(message, 'title', 'host', 'errorType')).toStrictEqual({
      title: 'v1/nodes error',
      host: 'ip-10-0-0-7',
      errorType: 'BackOff',
    });
  });

  it('leaves fields that it does not state empty', () => {
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text: '*❗ apps/v1/deployments error*' } },
      { type: 'section', fields: [{ type: 'mrkdwn', text: '*Name:* cart' }] },
    ];
    const message = { ...messageOf(ERROR), blocks };
    expect(says(message, 'kind', 'title', 'errorType', 'errorMessage', 'tags', 'triggeredAt')).toStrictEqual({
      kind: 'firing',
      title: 'apps/v1/deployments error',
      errorType: null,
      errorMessage: null,
      tags: ['object:cart'],
      triggeredAt: null,
    });
  });
});
