import type { Scenario } from '../scenario.ts';

export const manyTools: Scenario = {
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
