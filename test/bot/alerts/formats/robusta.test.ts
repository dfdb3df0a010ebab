import { describe, expect, it } from 'vitest';
import { messageOf, says } from '../fixtures.ts';

const FIRING = 'robusta-prometheus-firing';

/** The recorded alert with words of it replaced. */
function changed(words: Record<string, string>, name = FIRING): unknown {
  return JSON.parse(
    Object.entries(words).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      JSON.stringify(messageOf(name)),
    ),
  );
}

describe('an alert that Robusta passes on', () => {
  it.each([
    ['*High*', 'high'],
    ['*Low*', 'low'],
    ['*Info*', 'low'],
    ['*Debug*', 'low'],
  ])('of the severity %s is %s', (word, severity) => {
    expect(says(changed({ '*High*': word }), 'severity')).toStrictEqual({ severity });
  });

  it('has the severity of its labels where the head has none', () => {
    expect(
      says(changed({ ' :red_circle: *High*': '', 'severity `critical`': 'severity `warning`' }), 'severity'),
    ).toStrictEqual({
      severity: 'medium',
    });
  });

  it('reads its labels by name, in any order, beside any others', () => {
    const labels =
      '● region `eu-west-1`\\n● pod `x-0`\\n● env `qa`\\n● service `shop`\\n● zone `b`\\n● instance `10.0.0.1:9090`\\n● job `node`';
    const message = changed({
      '● severity `critical`\\n● namespace `payments`\\n● pod `api-gateway-7d9f`\\n● job `kube-state-metrics`':
        labels,
    });
    expect(says(message, 'region', 'environment', 'service', 'host', 'tags')).toStrictEqual({
      region: 'eu-west-1',
      environment: 'qa',
      service: 'shop',
      host: '10.0.0.1:9090',
      tags: ['pod:x-0', 'zone:b'],
    });
  });

  it("has no host where the instance is the exporter's", () => {
    const message = changed({ '● pod `api-gateway-7d9f`': '● instance `10.0.0.1:8080`' });
    expect(says(message, 'host')).toStrictEqual({ host: null });
  });

  it('is the same alert for another pod of the workload, another in another cluster', () => {
    const one = says(messageOf(FIRING), 'fingerprint');
    expect(says(changed({ 'gateway-7d9f': 'gateway-5c8bd' }), 'fingerprint')).toStrictEqual(one);
    expect(says(changed({ 'prod-eu1': 'prod-us1' }), 'fingerprint')).not.toStrictEqual(one);
    expect(says(changed({ 'api-gateway': 'search' }), 'fingerprint')).not.toStrictEqual(one);
  });

  it('is recognised by its first line, under any app name, with no more than that line', () => {
    const blocks = [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '🔥 `Prometheus Alert Firing` 🔥 🟢 *Low*\nDisk is &gt; 80%' },
      },
    ];
    const message = { type: 'message', bot_id: 'B1', user: 'U1', text: '', blocks };
    expect(
      says(message, 'format', 'kind', 'title', 'severity', 'alertUrl', 'errorMessage', 'tags'),
    ).toStrictEqual({
      format: 'robusta',
      kind: 'firing',
      title: 'Disk is > 80%',
      severity: 'low',
      alertUrl: null,
      errorMessage: null,
      tags: [],
    });
  });

  it('leads to its button where the title is no link', () => {
    const message = changed({
      '<https://platform.robusta.dev/graphs/4e2f8a1c?tab=timeline|*Pod api-gateway-7d9f in namespace payments is crash looping*>':
        '*Pod api-gateway-7d9f in namespace payments is crash looping*',
    });
    expect(says(message, 'title', 'alertUrl', 'fingerprint')).toStrictEqual(
      says(messageOf(FIRING), 'title', 'alertUrl', 'fingerprint'),
    );
  });

  it('describes the alert first, then its labels', () => {
    expect(says(messageOf(FIRING), 'description').description).toMatch(
      /^:fire: [\s\S]*\*\*Alert:\*\* Pod [\s\S]*\n\n\*\*Alert labels\*\*\n- severity `critical`\n[\s\S]*kube-state-metrics`$/,
    );
  });
});
