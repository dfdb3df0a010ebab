import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';

describe('metrics', () => {
  it('are counted by label, in the text that Prometheus reads', async () => {
    const metrics = createMetrics();
    metrics.count('gumshoe_posts_total', { kind: 'card', outcome: 'sent' });
    metrics.count('gumshoe_posts_total', { kind: 'card', outcome: 'sent' }, 2);
    metrics.count('gumshoe_socket_disconnects_total');
    metrics.gauge('gumshoe_outbox_due', 4);
    metrics.observe('gumshoe_service_call_seconds', 0.2, { operation: 'issues.get' });
    const lines = (await metrics.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '# HELP gumshoe_posts_total Outbox intents delivered, by outcome',
        'gumshoe_posts_total{kind="card",outcome="sent"} 3',
        'gumshoe_socket_disconnects_total 1',
        'gumshoe_outbox_due 4',
        'gumshoe_service_call_seconds_count{operation="issues.get"} 1',
      ]),
    );
  });

  it('of two programs in one process do not meet', async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.gauge('gumshoe_outbox_due', 4);
    expect(await other.text()).toContain('gumshoe_outbox_due 0');
  });

  it('say something about the process itself', async () => {
    expect(await createMetrics().text()).toContain('process_cpu_user_seconds_total');
  });
});
