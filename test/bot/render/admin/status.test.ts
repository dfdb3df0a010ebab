import { expect, it } from 'vitest';
import { renderStatus } from '../../../../src/bot/render/admin/status.ts';

it('a part of the service that nobody knows is called as it calls itself', () => {
  const part = { part: 'constructor', state: 'answers', since: 0, calledAt: 0 } as const;
  const message = renderStatus({
    channel: null,
    paused: null,
    sources: [
      { name: 'prometheus', ok: false, summary: 'Prometheus at http://p:9090 could not be reached.' },
      { name: 'files', ok: true, summary: 'The log files of cart are read.' },
    ],
    degraded: [],
    program: {
      version: '1.2.3',
      startedAt: 0,
      slackSince: 0,
      service: [part],
      polledAt: 0,
      outbox: 0,
      inbox: 0,
      pending: 0,
      day: { used: 0, issues: 500 },
      watchedChannels: 1,
    },
  });
  const said = JSON.stringify(message);
  expect(said).toContain('service, constructor: up');
  expect(said).toContain(
    '*Connected:* ⚠️ Prometheus: Prometheus at http://p:9090 could not be reached. · Files',
  );
});
