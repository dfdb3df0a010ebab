import type { Scenario } from './scenario.ts';

const paymentsDeploy: Scenario = {
  name: 'payments-deploy',
  title: 'A bad deploy',
  about: 'A release of payments fails; the alert names checkout-api, which calls it.',
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
  title: 'A slow query',
  about: 'A query of the orders database turns slow; the alert names inventory, which waits for it.',
  steps: [
    { do: 'break', fault: 'slow_query', service: 'orders-db', minutesBefore: 7 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'fires', service: 'inventory', symptom: 'High latency' },
  ],
};

const catalogueConfig: Scenario = {
  name: 'catalogue-config',
  title: 'A wrong setting',
  about: 'A change of the configuration of catalogue breaks a part of its requests.',
  steps: [
    { do: 'break', fault: 'config_change', service: 'catalogue', minutesBefore: 5 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'fires', service: 'catalogue', symptom: 'High error rate' },
  ],
};

const recovery: Scenario = {
  name: 'recovery',
  title: 'It recovers',
  about: 'An alert fires and is investigated; half a minute later it recovers, which its card says.',
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
  title: 'It fires again and again',
  about: 'One problem fires, fires again, recovers and comes back: one issue, whose card counts.',
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
  title: 'A storm of alerts',
  about:
    'A hundred alerts in a few seconds: ten become issues, the others are held under one message with buttons.',
  steps: [
    { do: 'break', fault: 'connection_pool', service: 'payments', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'storm' },
  ],
};

const manyTools: Scenario = {
  name: 'many-tools',
  title: 'Alerts of several tools',
  about:
    'Six tools tell of one bad deploy, each in its own form and of another service, and one tells of a deploy.',
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
  title: 'A slow start, and nothing behind it',
  about:
    'A worker was slow when it started, but nothing is wrong: “nothing found” is the result, if nothing was broken for a while.',
  steps: [
    { do: 'repair' },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'grafana', how: 'fires', service: 'search-indexer', symptom: 'Slow start' },
  ],
};

const serviceDown: Scenario = {
  name: 'service-down',
  title: 'The service is down',
  about: 'The investigation service goes away, three alerts wait, and it comes back: all are filed in order.',
  steps: [
    { do: 'break', fault: 'disk_full', service: 'orders-db', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'service', down: true },
    { do: 'alert', tool: 'zabbix', how: 'fires' },
    { do: 'wait', seconds: 5 },
    { do: 'alert', tool: 'grafana', how: 'fires', service: 'inventory', symptom: 'High latency' },
    { do: 'alert', tool: 'pingdom', how: 'fires', service: 'checkout-api' },
    // After a minute the channel is told.
    { do: 'wait', seconds: 65 },
    { do: 'service', down: false },
  ],
};

const botKilled: Scenario = {
  name: 'bot-killed',
  title: 'Gumshoe is killed',
  about:
    'Gumshoe is killed in the middle of an alert, another comes meanwhile; after its start both are filed, once.',
  steps: [
    { do: 'break', fault: 'queue_backlog', service: 'order-worker', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'datadog', how: 'fires' },
    { do: 'bot', command: 'kill' },
    { do: 'wait', seconds: 5 },
    { do: 'alert', tool: 'sentry', how: 'fires' },
    { do: 'wait', seconds: 10 },
    { do: 'bot', command: 'start' },
  ],
};

const quiet: Scenario = {
  name: 'quiet',
  title: 'Nothing',
  about: 'Nothing is played: all of it is left to you.',
  steps: [],
};

/** What `npm start` begins with where nobody chooses: each start plays the next one, so that it does not only repeat an alert. */
export const openingScenarios: readonly [Scenario, ...Scenario[]] = [
  paymentsDeploy,
  slowOrdersDb,
  catalogueConfig,
];

/** One line a scenario. */
export const scenarios: readonly Scenario[] = [
  ...openingScenarios,
  recovery,
  flapping,
  storm,
  manyTools,
  nothingFound,
  serviceDown,
  botKilled,
  quiet,
];
