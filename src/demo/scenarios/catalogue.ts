import type { Scenario } from './scenario.ts';

const paymentsDeploy: Scenario = {
  name: 'payments-deploy',
  title: 'Bad deploy',
  about: 'A release of payments causes errors; the alert is for checkout-api, which depends on it.',
  steps: [
    { do: 'break', fault: 'bad_deploy', service: 'payments', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    {
      do: 'alert',
      tool: 'alertmanager',
      how: 'fires',
      service: 'checkout-api',
      symptom: 'High error rate',
    },
  ],
};

const slowOrdersDb: Scenario = {
  name: 'slow-orders-db',
  title: 'Slow query',
  about: 'A query in the orders database gets slow; the alert is for inventory, which waits for it.',
  steps: [
    { do: 'break', fault: 'slow_query', service: 'orders-db', minutesBefore: 7 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'fires', service: 'inventory', symptom: 'High latency' },
  ],
};

const catalogueConfig: Scenario = {
  name: 'catalogue-config',
  title: 'Bad config change',
  about: 'A config change in catalogue makes some of its requests fail.',
  steps: [
    { do: 'break', fault: 'config_change', service: 'catalogue', minutesBefore: 5 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'fires', service: 'catalogue', symptom: 'High error rate' },
  ],
};

const recovery: Scenario = {
  name: 'recovery',
  title: 'Recovery',
  about: 'An alert fires and is investigated; it recovers half a minute later, and its card shows that.',
  steps: [
    { do: 'break', fault: 'memory_leak', service: 'cart', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'grafana', how: 'fires' },
    { do: 'wait', seconds: 30 },
    { do: 'repair' },
    { do: 'alert', tool: 'grafana', how: 'recovers' },
  ],
};

const flapping: Scenario = {
  name: 'flapping',
  title: 'Flapping alert',
  about: 'One alert fires, fires again, recovers and comes back: one issue, and its card keeps count.',
  steps: [
    { do: 'break', fault: 'certificate_expiry', service: 'inventory', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'uptime-kuma', how: 'fires' },
    { do: 'wait', seconds: 10 },
    { do: 'alert', tool: 'uptime-kuma', how: 'again' },
    { do: 'wait', seconds: 10 },
    { do: 'alert', tool: 'uptime-kuma', how: 'recovers' },
    { do: 'wait', seconds: 10 },
    { do: 'alert', tool: 'uptime-kuma', how: 'again' },
  ],
};

const storm: Scenario = {
  name: 'storm',
  title: 'Alert storm',
  about:
    'A hundred alerts in a few seconds: ten become issues, the rest are held in one message with buttons.',
  steps: [
    { do: 'break', fault: 'connection_pool', service: 'payments', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'storm' },
  ],
};

const manyTools: Scenario = {
  name: 'many-tools',
  title: 'Alerts from many tools',
  about:
    'Six tools report one bad deploy, each in its own format, and one posts a deploy notice, which is not an alert.',
  steps: [
    { do: 'break', fault: 'bad_deploy', service: 'payments', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'datadog', how: 'fires' },
    { do: 'wait', seconds: 2 },
    { do: 'alert', tool: 'sentry', how: 'fires', service: 'checkout-api' },
    { do: 'wait', seconds: 2 },
    { do: 'alert', tool: 'grafana', how: 'fires', service: 'web' },
    { do: 'wait', seconds: 2 },
    { do: 'alert', tool: 'pagerduty', how: 'fires', service: 'checkout-api' },
    { do: 'wait', seconds: 2 },
    { do: 'alert', tool: 'aws', how: 'fires', service: 'gateway' },
    { do: 'wait', seconds: 2 },
    { do: 'alert', tool: 'uptimerobot', how: 'fires', service: 'web' },
    { do: 'wait', seconds: 2 },
    { do: 'alert', tool: 'rollbar', how: 'fires' },
  ],
};

const nothingFound: Scenario = {
  name: 'nothing-found',
  title: 'False alarm',
  about:
    'A worker started slowly, but nothing is wrong: the investigation finds nothing, unless something was broken recently.',
  steps: [
    { do: 'repair' },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'grafana', how: 'fires', service: 'search-indexer', symptom: 'Slow start' },
  ],
};

const serviceDown: Scenario = {
  name: 'service-down',
  title: 'Investigation service down',
  about:
    'The investigation service goes down, three alerts queue up, and it comes back: all are filed in order.',
  steps: [
    { do: 'break', fault: 'disk_full', service: 'orders-db', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'service', down: true },
    { do: 'alert', tool: 'zabbix', how: 'fires' },
    { do: 'wait', seconds: 5 },
    { do: 'alert', tool: 'grafana', how: 'fires', service: 'inventory', symptom: 'High latency' },
    { do: 'alert', tool: 'pingdom', how: 'fires', service: 'checkout-api' },
    // The channel is notified after a minute.
    { do: 'wait', seconds: 65 },
    { do: 'service', down: false },
  ],
};

const quiet: Scenario = {
  name: 'quiet',
  title: 'Quiet',
  about: 'Nothing happens until you do something.',
  steps: [],
};

/** Played by `npm start` without `--scenario`: each start takes the next one, so that it shows something new. */
export const openingScenarios: readonly [Scenario, ...Scenario[]] = [
  paymentsDeploy,
  slowOrdersDb,
  catalogueConfig,
];

/** Every scenario, in the order of the control panel. */
export const scenarios: readonly Scenario[] = [
  ...openingScenarios,
  recovery,
  flapping,
  storm,
  manyTools,
  nothingFound,
  serviceDown,
  quiet,
];
