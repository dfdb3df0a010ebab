import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../support/cpu-time.ts';
import { messageOf, says, toolMessage } from '../fixtures.ts';

const link = (uuid: string) =>
  `[View alert details](<https://k.example.io/s/ops/app/observability/alerts?_a=(kuery:%27kibana.alert.uuid:%20%22${uuid}%22%27)>)`;
const message = (head: string, sentence: string, conditions: string, uuid = '1') =>
  toolMessage({ text: `${head}${sentence}\n\n${conditions}\n\n${link(uuid)}\n` });
const CONDITIONS =
  '- Service name: shop\n- Transaction type: request\n- Environment: qa\n- Latency: 5,000 ms\n- Threshold: 1500ms';

describe("an alert of Kibana's", () => {
  const active = message(
    'Avg. latency is 5 s. Alert when &gt; 1.5 s.\n\n',
    'APM latency is active with the following conditions:',
    CONDITIONS,
  );

  it('is active, with what it says', () => {
    expect(
      says(active, 'format', 'kind', 'title', 'service', 'environment', 'errorMessage', 'tags'),
    ).toStrictEqual({
      format: 'kibana',
      kind: 'firing',
      title: 'APM latency',
      service: 'shop',
      environment: 'qa',
      errorMessage: 'Avg. latency is 5 s. Alert when > 1.5 s.',
      tags: [],
    });
  });

  it('has recovered though it still says when it alerts, and is the same alert in any order', () => {
    const turned = CONDITIONS.split('\n').reverse().join('\n').replace('5,000', '900');
    const over = message(
      'Avg. latency is 0.9 s. Alert when &gt; 1.5 s.\n\n',
      'APM latency has recovered.',
      turned,
      '2',
    );
    expect(says(over, 'kind', 'title', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      title: 'APM latency',
      ...says(active, 'fingerprint'),
    });
  });

  it('is another for another service, environment or transaction', () => {
    const prints = [
      ['shop', 'cart'],
      ['qa', 'prod'],
      ['request', 'page-load'],
    ].map(([from = '', to = '']) => {
      const conditions = CONDITIONS.replace(`: ${from}`, `: ${to}`);
      return says(
        message('', 'APM latency is active with the following conditions:', conditions),
        'fingerprint',
      ).fingerprint;
    });
    expect(new Set([...prints, says(active, 'fingerprint').fingerprint]).size).toBe(4);
  });

  it('is recognised by its name where the link is missing, and describes itself in Markdown', () => {
    const text = 'Disk is active with the following conditions:\n\n- Affected: host-1';
    expect(says({ ...toolMessage({ text }), username: 'Kibana' }, 'format', 'alertUrl')).toStrictEqual({
      format: 'kibana',
      alertUrl: null,
    });
    expect(says(toolMessage({ text }), 'format')).toStrictEqual({ format: 'generic' });
    expect(says(messageOf('kibana-apm-error-count-active'), 'description').description).toContain(
      '[View alert details](https://kibana.example.io/app/observability/alerts?',
    );
  });

  it('is found quickly, however many lines are empty', () => {
    const started = cpuMs();
    says(toolMessage({ text: '\n'.repeat(200_000) }), 'kind');
    expect(cpuMs() - started).toBeLessThan(15_000);
  });
});
