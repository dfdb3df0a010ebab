import { NO_FAULTS } from '../../../src/faults/state.ts';
import type { PageEvent } from '../../../src/page-api.ts';
import type { PagePanel } from '../../../src/page-panel.ts';

/** Where service and bot are somebody else's: only Slack's faults can be switched. */
export const emptyPanel: PagePanel = {
  scenarios: [],
  tools: [],
  shop: null,
  service: null,
  bot: null,
  webhooks: [],
  faults: NO_FAULTS,
};

const tools = [
  'Alertmanager',
  'AWS CloudWatch',
  'Better Stack',
  'Checkly',
  'Datadog',
  'Dynatrace',
  'Elastic',
  'Grafana',
  'Honeycomb',
  'New Relic',
  'PagerDuty',
  'Prometheus',
  'Rollbar',
  'Sentry',
  'Uptime Kuma',
  'Zabbix',
].map((name) => ({ id: name.toLowerCase().replace(' ', '-'), name, recovers: name !== 'Sentry' }));

/** All that can be played, in a workspace where nothing is amiss. */
export const fullPanel: PagePanel = {
  scenarios: [
    {
      name: 'bad-deploy',
      title: 'Bad deploy',
      about: 'checkout-api fails after a deploy; Grafana tells, and the cause is found.',
    },
    {
      name: 'storm',
      title: 'A storm of 100',
      about: 'A hundred alerts at once in #alerts: held under one message.',
    },
    { name: 'quiet', title: 'Quiet', about: 'Nothing happens.' },
  ],
  tools,
  shop: {
    faults: [
      { kind: 'bad_deploy', title: 'Bad deploy', services: ['payments', 'checkout-api', 'web'] },
      { kind: 'disk_full', title: 'Full disk', services: ['orders-db', 'search-indexer'] },
    ],
    broken: [],
  },
  service: { down: false },
  bot: { state: 'running' },
  webhooks: [],
  faults: NO_FAULTS,
};

/** The event that tells a panel with something other than in `fullPanel`. */
export function panelEvent(rest: Partial<PagePanel>): PageEvent {
  return { type: 'stage', stage: { ...fullPanel, ...rest } };
}
