import type { Clock } from '../../lib/clock.ts';
import type { RunningService } from '../service/server.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { scenarios } from './index.ts';
import type { Scenario } from './scenario.ts';

const MINUTE_MS = 60_000;
const DELAY_MS = 3_000;

/**
 * Breaks the shop, waits a few seconds, and posts the alert as Alertmanager would. Which scenario it is goes
 * by how many were played on this database before.
 */
export async function playNext(options: {
  workspace: Workspace;
  service: RunningService;
  clock: Clock;
  signal: AbortSignal;
}): Promise<void> {
  const { service, workspace, clock } = options;
  const scenario = scenarios[service.faults().length % scenarios.length] ?? scenarios[0];
  const { kind, service: place, lastsMinutes } = scenario.fault;
  const from = clock.now() - scenario.minutesBefore * MINUTE_MS;
  service.inject({ kind, service: place, from, to: from + lastsMinutes * MINUTE_MS });
  await clock.sleep(DELAY_MS, options.signal);
  await workspace.post({
    channel: workspace.channels.alerts,
    username: 'Alertmanager',
    ...alertmanager(scenario),
  });
}

/** Alertmanager's default template for a group of one. */
function alertmanager({ alert }: Scenario) {
  const title = `[FIRING:1] ${alert.name} ${alert.service} (${alert.labels})`;
  const link = 'http://alertmanager.shop.example:9093/#/alerts?receiver=slack-alerts';
  return {
    icon: ':fire:',
    attachments: [
      {
        color: 'danger',
        fallback: `${title} | ${link}`,
        title,
        title_link: link,
        mrkdwn_in: ['fallback', 'pretext', 'text'],
      },
    ],
  };
}
