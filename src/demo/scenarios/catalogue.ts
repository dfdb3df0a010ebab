import type { FaultKind } from '../shop/faults.ts';
import type { AlertKind } from './alerts.ts';
import type { Scenario, Step } from './scenario.ts';

const broken = (fault: FaultKind, service: string, minutesBefore = 6): Step => ({
  do: 'break',
  fault,
  service,
  minutesBefore,
});
const wait = (seconds: number): Step => ({ do: 'wait', seconds });
const alert = (
  tool: string,
  how: AlertKind = 'fires',
  about: { service?: string; symptom?: string } = {},
): Step => ({ do: 'alert', tool, how, ...about });

const paymentsDeploy: Scenario = {
  name: 'payments-deploy',
  title: 'Bad deploy',
  about: 'A release of payments causes errors; the alert is for checkout-api, which depends on it.',
  steps: [
    broken('bad_deploy', 'payments'),
    wait(3),
    alert('alertmanager', 'fires', { service: 'checkout-api', symptom: 'High error rate' }),
  ],
};

const slowOrdersDb: Scenario = {
  name: 'slow-orders-db',
  title: 'Slow query',
  about: 'A query in the orders database gets slow; the alert is for inventory, which waits for it.',
  steps: [
    broken('slow_query', 'orders-db', 7),
    wait(3),
    alert('alertmanager', 'fires', { service: 'inventory', symptom: 'High latency' }),
  ],
};

const catalogueConfig: Scenario = {
  name: 'catalogue-config',
  title: 'Bad config change',
  about: 'A config change in catalogue makes some of its requests fail.',
  steps: [
    broken('config_change', 'catalogue', 5),
    wait(3),
    alert('alertmanager', 'fires', { service: 'catalogue', symptom: 'High error rate' }),
  ],
};

const recovery: Scenario = {
  name: 'recovery',
  title: 'Recovery',
  about: 'An alert fires and is investigated; it recovers half a minute later, and its card shows that.',
  steps: [
    broken('memory_leak', 'cart'),
    wait(3),
    alert('grafana'),
    wait(30),
    { do: 'repair' },
    alert('grafana', 'recovers'),
  ],
};

const flapping: Scenario = {
  name: 'flapping',
  title: 'Flapping alert',
  about: 'One alert fires, fires again, recovers and comes back: one issue, and its card keeps count.',
  steps: [
    broken('certificate_expiry', 'inventory'),
    wait(3),
    alert('uptime-kuma'),
    wait(10),
    alert('uptime-kuma', 'again'),
    wait(10),
    alert('uptime-kuma', 'recovers'),
    wait(10),
    alert('uptime-kuma', 'again'),
  ],
};

const storm: Scenario = {
  name: 'storm',
  title: 'Alert storm',
  about:
    'A hundred alerts in a few seconds: ten become issues, the rest are held in one message with buttons.',
  steps: [broken('connection_pool', 'payments'), wait(3), alert('alertmanager', 'storm')],
};

const manyTools: Scenario = {
  name: 'many-tools',
  title: 'Alerts from many tools',
  about:
    'Six tools report one bad deploy, each in its own format, and one posts a deploy notice, which is not an alert.',
  steps: [
    broken('bad_deploy', 'payments'),
    wait(3),
    alert('datadog'),
    wait(2),
    alert('sentry', 'fires', { service: 'checkout-api' }),
    wait(2),
    alert('grafana', 'fires', { service: 'web' }),
    wait(2),
    alert('pagerduty', 'fires', { service: 'checkout-api' }),
    wait(2),
    alert('aws', 'fires', { service: 'gateway' }),
    wait(2),
    alert('uptimerobot', 'fires', { service: 'web' }),
    wait(2),
    alert('rollbar'),
  ],
};

const nothingFound: Scenario = {
  name: 'nothing-found',
  title: 'False alarm',
  about:
    'A worker started slowly, but nothing is wrong: the investigation finds nothing, unless something was broken recently.',
  steps: [
    { do: 'repair' },
    wait(3),
    alert('grafana', 'fires', { service: 'search-indexer', symptom: 'Slow start' }),
  ],
};

const serviceDown: Scenario = {
  name: 'service-down',
  title: 'Investigation service down',
  about:
    'The investigation service goes down, three alerts queue up, and it comes back: all are filed in order.',
  steps: [
    broken('disk_full', 'orders-db'),
    wait(3),
    { do: 'service', down: true },
    alert('zabbix'),
    wait(5),
    alert('grafana', 'fires', { service: 'inventory', symptom: 'High latency' }),
    alert('pingdom', 'fires', { service: 'checkout-api' }),
    // The channel is notified after a minute.
    wait(65),
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
