import { describe, expect, it } from 'vitest';
import type { MadeSystem } from '../../support/made-source.ts';
import { climb, found, level, MINUTE, ONSET } from './freight.ts';

const line = (message: string, at: number, over: { service?: string; level?: string } = {}) => ({
  at,
  service: 'labels',
  instance: null,
  level: 'error',
  message,
  traceId: null,
  ...over,
});

/** `labels` takes jobs from a queue, of which its own metric says how many wait. */
function labels(over: Partial<MadeSystem> = {}): MadeSystem {
  return {
    services: [{ name: 'labels', kind: 'worker' }, { name: 'portal' }],
    metrics: [
      { service: 'labels', measure: 'queue', unit: '{job}', label: 'jobs waiting', at: climb(2, 140, 8) },
      { service: 'portal', measure: 'latency', unit: 's', label: 'p95 latency', at: level(0.2) },
    ],
    ...over,
  };
}

const asked = { title: 'Labels are late', service: 'labels' };

/** Each minute from before the onset on. */
const stale = [
  line('took a job', ONSET - 80 * MINUTE, { level: 'info' }),
  ...Array.from({ length: 12 }, (_, i) =>
    line(
      `ESTALE: stale file handle, write /mnt/labels/${i}.pdf token=abcdef0123456789`,
      ONSET - (4 - i) * MINUTE,
    ),
  ),
];

describe('what waits is a symptom of who takes it', () => {
  it('where that fails by its own words, they are the cause that is named, and nothing is redelivered', async () => {
    const { summary, evidence, actions, investigation } = await found(labels({ logs: stale }), asked);
    expect(summary).toMatch(
      /^Errors in labels: it logs `ESTALE: stale file handle, write \/mnt\/labels\/11\.pdf .*` \(12 times since 10:18 UTC, and not before\), and jobs waiting went from [12](?:\.\d+)? to 1\d\d at 10:2\d UTC/u,
    );
    expect(summary).not.toMatch(/backlog|abcdef0123456789/u);
    expect(evidence.map(({ title }) => title)).toContain('New error in the labels logs');
    expect(JSON.stringify([evidence, actions])).not.toMatch(/redeliver|dead-letter|scale out/iu);
    expect(investigation.results.causalTreeV2.nodes.map(({ confidence }) => confidence)).not.toContain(
      'high',
    );
  });

  it('without such lines it is a backlog, and what is to be done is what is known of it', async () => {
    const { cause, investigation } = await found(labels(), asked);
    expect(cause).toBe('Queue backlog at labels');
    const { actions } = investigation.results.remediation;
    expect(actions.map(({ title }) => title)).toEqual(['Find out what holds labels up']);
    expect(JSON.stringify(actions)).not.toMatch(/redeliver|dead-letter/iu);
  });

  it('lines that say that messages come back make it a backlog of them', async () => {
    const back = stale.map((one) => ({ ...one, message: 'job 4711 failed, returned to the queue' }));
    const { cause, actions } = await found(labels({ logs: back }), asked);
    expect([cause, actions[0]]).toEqual(['Queue backlog at labels', 'Unblock labels']);
  });

  it('of what came before they say that there are more of it', async () => {
    const once = line(
      'ESTALE: stale file handle, write /mnt/labels/99.pdf token=abcdef0123456789',
      ONSET - 70 * MINUTE,
    );
    const { evidence } = await found(labels({ logs: [once, ...stale] }), asked);
    expect(evidence.map(({ title }) => title)).toContain('More errors in the labels logs');
  });

  it('errors that were always there explain nothing that is new', async () => {
    const usual = Array.from({ length: 120 }, (_, i) =>
      line('ESTALE: stale file handle', ONSET - i * MINUTE),
    );
    const { cause } = await found(labels({ logs: usual }), asked);
    expect(cause).toBe('Queue backlog at labels');
  });
});
