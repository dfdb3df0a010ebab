import { describe, expect, it } from 'vitest';
import { partOf, says, variant } from '../fixtures.ts';

const FIRING = 'grafana-unified-firing';
const LEGACY = 'grafana-legacy-alerting';
const RULE = 'https://grafana.example.io/alerting/grafana/cdv3k2m1x7a80b/view?orgId=1';

interface Member {
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  source?: string;
}

/** One alert as the default template lists it. */
function member({ labels, annotations = {}, source = RULE }: Member): string {
  const pairs = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => ` - ${name} = ${value}\n`)
      .join('');
  return `Value: [no value]\nLabels:\n${pairs(labels)}Annotations:\n${pairs(annotations)}Source: <${source}>\n`;
}

const web = {
  alertname: 'Slow',
  env: 'prod',
  grafana_folder: 'Shop',
  instance: 'web-1:80',
  severity: 'warning',
};
const other = { ...web, instance: 'web-2:80', severity: 'critical' };

describe("an alert of Grafana's unified alerting", () => {
  it('is still firing while one of two is, and says what the firing one says', () => {
    const firing = member({ labels: web, annotations: { summary: 'slow' } });
    const over = member({ labels: other, annotations: { summary: 'was slow' } });
    const message = variant(FIRING, {
      title: '[FIRING:1, RESOLVED:1] Slow Shop (prod)',
      text: `**Firing**\n\n${firing}\n\n**Resolved**\n\n${over}`,
    });
    expect(says(message, 'kind', 'title', 'severity', 'host', 'errorMessage', 'tags')).toStrictEqual({
      kind: 'firing',
      title: 'Slow Shop (prod)',
      severity: 'medium',
      host: 'web-1:80',
      errorMessage: 'slow',
      tags: ['grafana_folder:Shop'],
    });
  });

  it('is one alert from two firing to two resolved', () => {
    const [one, two] = [member({ labels: web }), member({ labels: other })];
    const prints = [
      { title: '[FIRING:2] Slow Shop (prod)', text: `**Firing**\n\n${one}\n${two}` },
      {
        title: '[FIRING:1, RESOLVED:1] Slow Shop (prod)',
        text: `**Firing**\n\n${two}\n\n**Resolved**\n\n${one}`,
      },
      { title: '[RESOLVED:2] Slow Shop (prod)', text: `**Resolved**\n\n${two}\n${one}` },
    ].map((changes) => says(variant(FIRING, changes), 'fingerprint').fingerprint);
    expect(new Set(prints).size).toBe(1);
  });

  it('of several takes the highest severity, and no host that they do not share', () => {
    const text = `**Firing**\n\n${member({ labels: web })}\n${member({ labels: other })}`;
    expect(says(variant(FIRING, { text }), 'severity', 'environment', 'host')).toStrictEqual({
      severity: 'high',
      environment: 'prod',
      host: null,
    });
  });

  it('leads to the list of alerts where its rules differ', () => {
    const text = `**Firing**\n\n${member({ labels: web })}\n${member({ labels: other, source: `${RULE}&b` })}`;
    const message = variant(FIRING, { text, title_link: 'https://grafana.example.io/alerting/list' });
    expect(says(message, 'alertUrl')).toStrictEqual({ alertUrl: 'https://grafana.example.io/alerting/list' });
  });

  it('is recognised without name, footer and link', () => {
    const parts = { footer: undefined, footer_icon: undefined, title_link: undefined, ts: undefined };
    const message = { ...variant(FIRING, parts), username: 'alerts' };
    expect(says(message, 'format', 'kind', 'alertUrl', 'triggeredAt')).toStrictEqual({
      format: 'grafana',
      kind: 'firing',
      alertUrl: RULE,
      triggeredAt: null,
    });
  });

  it('gets its state from its heading if its title has no prefix', () => {
    const over = variant(FIRING, {
      title: 'Our own title',
      text: `**Resolved**\n\n${member({ labels: web })}`,
    });
    expect(says(over, 'kind', 'title')).toStrictEqual({ kind: 'resolved', title: 'Our own title' });
  });

  it('keeps an annotation of several lines, and what looks like a label in it', () => {
    const text = `**Firing**\n\n${member({ labels: web, annotations: { description: 'a\nb: c = d\n\ne', summary: 's' } })}`;
    expect(says(variant(FIRING, { text }), 'errorMessage')).toStrictEqual({
      errorMessage: 'a\nb: c = d\n\ne',
    });
  });

  it('without data is firing, and another problem than its rule', () => {
    const text = partOf(FIRING, 'text').replace(
      'alertname = Checkout p95 latency',
      'alertname = DatasourceNoData',
    );
    const message = variant(FIRING, { title: '[FIRING:1] DatasourceNoData Payments (production)', text });
    expect(says(message, 'kind', 'errorType')).toStrictEqual({
      kind: 'firing',
      errorType: 'DatasourceNoData',
    });
    expect(says(message, 'fingerprint')).not.toStrictEqual(says(variant(FIRING, {}), 'fingerprint'));
  });

  it('is read as plain text: unescaped, links bare', () => {
    const text = `**Firing**\n\n${member({ labels: { ...web, cluster: 'a &amp; b' }, annotations: { summary: '&lt;5 left, see <https://x.example.io|the page>' } })}`;
    expect(says(variant(FIRING, { text }), 'errorMessage', 'tags')).toStrictEqual({
      errorMessage: '<5 left, see the page',
      tags: ['grafana_folder:Shop', 'cluster:a & b'],
    });
  });
});

describe("an alert of Grafana's legacy alerting", () => {
  it('without data is firing, and says its error', () => {
    const fields = [{ title: 'Error message', value: 'tsdb error', short: false }];
    const message = variant(LEGACY, { title: '[No Data] API 5xx rate alert', text: '', fields });
    expect(says(message, 'kind', 'title', 'errorMessage')).toStrictEqual({
      kind: 'firing',
      title: 'API 5xx rate alert',
      errorMessage: 'tsdb error',
    });
    expect(says(message, 'fingerprint')).toStrictEqual(says(variant(LEGACY, {}), 'fingerprint'));
  });

  it('tells two rules of one dashboard apart', () => {
    const message = variant(LEGACY, { title_link: 'https://grafana.example.io/d/000000012/api?viewPanel=5' });
    expect(says(message, 'fingerprint')).not.toStrictEqual(says(variant(LEGACY, {}), 'fingerprint'));
  });

  it('describes its metrics with their numbers', () => {
    expect(says(variant(LEGACY, {}), 'description')).toStrictEqual({
      description:
        '5xx over 2% on prod edge\nedge-1.ams {status="502"}: 3.72\nedge-2.ams {status="502"}: 4.01',
    });
  });

  it.each(['[Paused] API 5xx rate alert', '[Alerting] Test notification'])(
    'is not an alert for %s',
    (title) => {
      expect(says(variant(LEGACY, { title }), 'kind', 'format')).toStrictEqual({
        kind: 'not_an_alert',
        format: 'grafana',
      });
    },
  );
});
