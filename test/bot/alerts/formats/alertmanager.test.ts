import { describe, expect, it } from 'vitest';
import { says, toolMessage, variant } from '../fixtures.ts';

const FIRING = 'alertmanager-default-firing';
const CUSTOM = 'alertmanager-custom-details-firing';

/** A message of the default template under another title. */
function titled(title: string, changes: Record<string, unknown> = {}) {
  return variant(FIRING, {
    title,
    fallback: `${title} | <http://am.example.io/#/alerts?receiver=ops>`,
    ...changes,
  });
}

const detail = (labels: Record<string, string>) =>
  Object.entries(labels)
    .map(([name, value]) => `  • *${name}:* \`${value}\``)
    .join('\n');

describe('an alert in the default template', () => {
  it('is recognised by its link, under any webhook name', () => {
    const message = { ...variant(FIRING, {}), username: 'prod alerts' };
    expect(says(message, 'format', 'kind')).toStrictEqual({ format: 'alertmanager', kind: 'firing' });
  });

  it('is recognised by its name where the link is missing', () => {
    const message = variant(FIRING, { title_link: undefined, fallback: undefined });
    expect(says(message, 'format', 'kind', 'alertUrl')).toStrictEqual({
      format: 'alertmanager',
      kind: 'firing',
      alertUrl: null,
    });
  });

  it('is the same alert whatever its count', () => {
    const one = says(titled('[FIRING:1] HighErrorRate checkout-api (prod critical)'), 'fingerprint');
    expect(
      says(titled('[FIRING:17] HighErrorRate checkout-api (prod critical)'), 'fingerprint'),
    ).toStrictEqual(one);
    expect(
      says(titled('[RESOLVED] HighErrorRate checkout-api (prod critical)'), 'fingerprint'),
    ).toStrictEqual(one);
    expect(
      says(titled('[RESOLVED] HighErrorRate search-api (prod critical)'), 'fingerprint'),
    ).not.toStrictEqual(one);
  });

  it('is still firing while some of its group are resolved', () => {
    expect(says(titled('[FIRING:1, RESOLVED:3] HighErrorRate checkout-api'), 'kind')).toStrictEqual({
      kind: 'firing',
    });
  });

  it('tells a host by its port, and a region by its form', () => {
    const message = titled('[FIRING:2] InstanceDown (10.2.3.4:9100 node-exporter us-central1 warning)');
    expect(says(message, 'host', 'region', 'severity', 'service', 'environment')).toStrictEqual({
      host: '10.2.3.4:9100',
      region: 'us-central1',
      severity: 'medium',
      service: null,
      environment: null,
    });
  });

  it('reads the common labels where a value has a parenthesis of its own', () => {
    const message = titled('[FIRING:1] DiskFull orders-db (root (sda1) eu-central-1 critical)');
    expect(says(message, 'service', 'region', 'severity')).toStrictEqual({
      service: 'orders-db',
      region: 'eu-central-1',
      severity: 'high',
    });
  });

  it('does not take a namespace for a service', () => {
    const service = (title: string) => says(titled(title), 'service').service;
    expect(service('[FIRING:1] KubePodCrashLooping payments-core (critical)')).toBeNull();
    expect(service('[FIRING:1] HighErrorRate kube-system (critical)')).toBeNull();
    expect(service('[FIRING:1] HighErrorRate eu-west-1 (critical)')).toBeNull();
  });

  it.each(['Watchdog', 'Watchdog monitoring (none)', 'InfoInhibitor payments (none)', 'DeadMansSwitch'])(
    'is none where it always fires: %s',
    (name) => {
      expect(says(titled(`[FIRING:1] ${name}`), 'kind', 'fingerprint')).toStrictEqual({
        kind: 'not_an_alert',
        fingerprint: null,
      });
    },
  );
});

describe("an alert in an operator's template", () => {
  it('reads labels in any order, and keeps the others as tags', () => {
    const labels = {
      version: '3.0.0',
      pod: 'web-1',
      severity: 'critical',
      environment: 'prod',
      app: 'web',
      job: 'k8s',
    };
    const message = variant(CUSTOM, { text: `*Details:*\n${detail(labels)}` });
    expect(
      says(message, 'severity', 'environment', 'service', 'version', 'tags', 'errorMessage'),
    ).toStrictEqual({
      severity: 'high',
      environment: 'prod',
      service: 'web',
      version: '3.0.0',
      tags: ['pod:web-1', 'job:k8s'],
      errorMessage: null,
    });
  });

  it('gets its state from the emoji of its title if it has no prefix', () => {
    const firing = variant(CUSTOM, { title: ':fire: HighMemoryUsage for search-indexer' });
    const over = variant(CUSTOM, { title: '✅ HighMemoryUsage for search-indexer', color: '2eb886' });
    expect(says(firing, 'kind', 'title')).toStrictEqual({
      kind: 'firing',
      title: 'HighMemoryUsage for search-indexer',
    });
    expect(says(over, 'kind', 'title')).toStrictEqual({
      kind: 'resolved',
      title: 'HighMemoryUsage for search-indexer',
    });
    expect(says(over, 'fingerprint')).toStrictEqual(says(firing, 'fingerprint'));
  });

  it('reads fields as labels', () => {
    const fields = [
      { title: 'Severity', value: 'info', short: true },
      { title: 'Service', value: 'search', short: true },
      { title: 'Namespace', value: '`search`', short: true },
      { title: 'Description', value: 'Memory &gt; 90%', short: false },
      { title: 'Started', value: '2026-11-18 05:30:11 +0000 UTC', short: false },
    ];
    const message = variant(CUSTOM, { text: '', fields });
    expect(says(message, 'severity', 'service', 'tags', 'errorMessage', 'triggeredAt')).toStrictEqual({
      severity: 'low',
      service: 'search',
      tags: ['namespace:search'],
      errorMessage: 'Memory > 90%',
      triggeredAt: '2026-11-18T05:30:11Z',
    });
  });

  it('of several alerts says what they agree on, and the highest severity', () => {
    const alert = (severity: string, pod: string) =>
      `*Alert:* HighMemoryUsage - ${severity}\n*Description:* ${pod} is full\n*Details:*\n${detail({ env: 'prod', pod, severity, cluster: 'a' })}`;
    const message = variant(CUSTOM, { text: `${alert('warning', 'p-1')}\n\n${alert('critical', 'p-2')}` });
    expect(says(message, 'severity', 'environment', 'tags', 'errorMessage')).toStrictEqual({
      severity: 'high',
      environment: 'prod',
      tags: ['cluster:a'],
      errorMessage: 'p-1 is full',
    });
  });

  it('leaves out what is resolved while something else is firing', () => {
    const text = `*Alerts Firing:*\n*Description:* still bad\n${detail({ pod: 'p-1', severity: 'warning' })}\n\n*Alerts Resolved:*\n*Description:* was bad\n${detail({ pod: 'p-2', severity: 'critical' })}`;
    const message = variant(CUSTOM, { title: '[FIRING:1, RESOLVED:1] HighMemoryUsage', text });
    expect(says(message, 'kind', 'severity', 'tags', 'errorMessage')).toStrictEqual({
      kind: 'firing',
      severity: 'medium',
      tags: ['pod:p-1'],
      errorMessage: 'still bad',
    });
  });

  it('may be all in the text, without an attachment', () => {
    const text =
      '*[FIRING:2] HighLatency search-api*\n<http://am.example.io/#/alerts?receiver=ops|view>\n• *severity:* `critical`\n*Summary:* a &amp; b';
    const message = toolMessage({ text, username: 'whoever' });
    expect(says(message, 'kind', 'title', 'severity', 'alertUrl', 'errorMessage')).toStrictEqual({
      kind: 'firing',
      title: 'HighLatency search-api',
      severity: 'high',
      alertUrl: 'http://am.example.io/#/alerts?receiver=ops',
      errorMessage: 'a & b',
    });
  });

  it('takes the names of its alerts for a title where it has none', () => {
    const message = variant(CUSTOM, {
      title: '',
      fallback: '',
      text: '*Alert:* A - warning\n\n*Alert:* B - critical',
    });
    expect(says(message, 'title', 'severity')).toStrictEqual({ title: 'A, B', severity: 'high' });
  });

  it('takes prose as its error message', () => {
    const message = titled('[FIRING:1] HighCpu', {
      text: 'CPU is above 90% on web-1 &amp; web-2\n\nsee the runbook',
    });
    expect(says(message, 'errorMessage', 'description')).toStrictEqual({
      errorMessage: 'CPU is above 90% on web-1 & web-2',
      description: 'CPU is above 90% on web-1 & web-2\n\nsee the runbook',
    });
  });
});
