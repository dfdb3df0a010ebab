import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchSource } from '../../../bench/systems/watched-source.ts';
import { startChild, untilPrinted } from '../../../support/child.ts';
import { hasPrometheus, startPrometheus } from '../../../support/prometheus/prometheus.ts';
import { plainSystem } from '../../../support/prometheus/systems.ts';
import { until } from '../../../support/until.ts';
import { temporaryFolder } from '../../support.ts';

const MINUTE = 60_000;

/** `npm run service` on a source, with its own database. */
async function startOn(source: string, file: string) {
  const child = startChild('src/service.ts', {
    PORT: '0',
    DATABASE_URL: `sqlite:${file}`,
    PROMETHEUS_URL: source,
    SERVICE_API_KEYS: 'key:acme',
    LOG_LEVEL: 'silent',
  });
  onTestFinished(() => void child.process.kill('SIGKILL'));
  const [, url = ''] = await untilPrinted(child, /listening at (\S+)/u);
  return {
    call: async (path: string, body?: object): Promise<{ [field: string]: unknown }> => {
      const answer = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return Object(await answer.json());
    },
    end: async (signal: NodeJS.Signals) => {
      child.process.kill(signal);
      return child.ended;
    },
  };
}

describe.skipIf(!hasPrometheus())('npm run service over a real Prometheus', () => {
  it.each([
    ['SIGKILL', 'SIGKILL'],
    ['SIGTERM', 0],
  ] as const)(
    'goes on after %s in the middle of an investigation, and ends it with one result',
    async (signal, code) => {
      const triggeredAt = Math.floor(Date.now() / MINUTE) * MINUTE;
      const prometheus = await startPrometheus(plainSystem(triggeredAt).history);
      onTestFinished(prometheus.stop);
      const open = Promise.withResolvers<void>();
      const held = await watchSource(prometheus.url, '/prefix', () => open.promise);
      onTestFinished(held.close);
      const file = join(temporaryFolder(), 'service.db');

      const first = await startOn(held.url, file);
      const { uuid } = await first.call('/issues', {
        title: 'HighErrorRate',
        description: 'storefront: many requests fail',
        environment: 'production',
        triggeredAt: new Date(triggeredAt).toISOString(),
        context: { tags: ['job:storefront', 'namespace:trading'] },
      });
      await until('the investigation asks', () => held.received() > 0);
      expect(await first.end(signal)).toBe(code);
      open.resolve();

      const second = await startOn(held.url, file);
      const issue = await until('the investigation ended', async () => {
        const now = await second.call(`/issues/${uuid}`);
        return now.status === 'ready_to_fix' && now;
      });
      expect(issue).toMatchObject({ latestVersion: 1, versions: [{ version: 1, status: 'SUCCESS' }] });
      const { rootCause } = await second.call(`/issues/${uuid}/results`);
      expect(rootCause).toMatchObject({
        rootCauseSummary: expect.stringMatching(
          /^Degradation of ledger after a deploy: 4\.2\.0 rolled out at/u,
        ),
      });
      expect(await second.call('/issues')).toMatchObject({ data: [{ uuid }], has_more: false });
    },
  );
});
