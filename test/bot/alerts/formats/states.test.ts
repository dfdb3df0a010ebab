import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { changed, messageOf } from '../fixtures.ts';

/** A recorded message, what it is after these words in it are replaced, and the words. */
type Words = readonly (readonly [from: string, to: string])[];
type Row = readonly [name: string, kind: string, words: Words];

const rows: readonly Row[] = [
  ['nagios-host-down', 'not_an_alert', [['Host PROBLEM', 'Host ACKNOWLEDGEMENT']]],
  ['nagios-host-down', 'not_an_alert', [['Host PROBLEM', 'Host DOWNTIMESTART']]],
  [
    'nagios-host-down',
    'firing',
    [
      ['Host PROBLEM', 'Service PROBLEM'],
      ['DOWN', 'WARNING'],
    ],
  ],
  [
    'checkmk-service-problem',
    'resolved',
    [
      ['PROBLEM', 'RECOVERY'],
      ['State: CRITICAL', 'State: OK'],
      ['ee0000', '00cc00'],
    ],
  ],
  ['checkmk-service-problem', 'not_an_alert', [['Service PROBLEM', 'Service ACKNOWLEDGEMENT']]],
  ['checkmk-service-problem', 'not_an_alert', [['Service PROBLEM', 'Service DOWNTIMEEND']]],
  ['icinga-service-critical', 'not_an_alert', [['STATE: CRITICAL', 'STATE: ACKNOWLEDGEMENT']]],
  [
    'icinga-service-critical',
    'firing',
    [
      ['STATE: CRITICAL', 'STATE: WARNING'],
      [':bomb:', ':warning:'],
    ],
  ],
  [
    'icinga-service-critical',
    'firing',
    [
      ['STATE: CRITICAL', 'STATE: UNKNOWN'],
      [':bomb:', ':question:'],
    ],
  ],
  [
    'uptimerobot-down',
    'resolved',
    [
      [
        'Monitor is DOWN: Checkout API ( <https://api.example.io/checkout/health> )',
        'Monitor is UP: Checkout API ( <https://api.example.io/checkout/health> ). It was down for 5 minutes and 3 seconds.',
      ],
    ],
  ],
  [
    'healthchecks-down',
    'resolved',
    [
      ['is DOWN', 'is UP'],
      ['a30200', '2eb886'],
      ['Reason: success signal did not arrive on time, grace time passed.', ''],
    ],
  ],
  [
    'netdata-warning',
    'firing',
    [
      ['needs attention', 'is critical'],
      ['daa038', 'a30200'],
    ],
  ],
  [
    'netdata-warning',
    'resolved',
    [
      ['needs attention', 'recovered'],
      ['Disk / space usage = 91.2%', 'Disk / space usage = 50% (alarm was raised for 3 minutes)'],
      ['daa038', '2eb886'],
    ],
  ],
  [
    'jenkins-failure',
    'firing',
    [
      ['Failure after', 'Unstable after'],
      ['a30200', 'daa038'],
    ],
  ],
  [
    'jenkins-failure',
    'not_an_alert',
    [
      ['Failure after', 'Aborted after'],
      ['a30200', '888888'],
    ],
  ],
  [
    'jenkins-failure',
    'not_an_alert',
    [
      ['Failure after', 'Success after'],
      ['a30200', '2eb886'],
    ],
  ],
  [
    'jenkins-failure',
    'not_an_alert',
    [
      [' Failure after 3 min 12 sec', ' Started by user Dana'],
      ['a30200', '2eb886'],
    ],
  ],
  [
    'github-actions-failed',
    'not_an_alert',
    [
      ['failed in', 'cancelled in'],
      [':x:', ':warning:'],
    ],
  ],
  [
    'argocd-sync-failed',
    'firing',
    [
      [
        'The sync operation of application checkout-api-prod has failed at',
        'Application checkout-api-prod has degraded at',
      ],
    ],
  ],
  [
    'argocd-deployed',
    'not_an_alert',
    [
      [
        'is now running new version of deployments manifests',
        'has been successfully synced at 2026-11-18T13:02:05Z',
      ],
    ],
  ],
  [
    'kibana-apm-error-count-active',
    'resolved',
    [['APM error count is active with the following conditions:', 'APM error count has recovered.']],
  ],
  [
    'botkube-deployment-created',
    'firing',
    [
      [':large_green_circle: apps/v1/deployments created', ':exclamation: v1/pods error'],
      ['Kind:* Deployment', 'Reason:* BackOff'],
    ],
  ],
  ['botkube-deployment-created', 'not_an_alert', [['created', 'updated']]],
  [
    'botkube-deployment-created',
    'not_an_alert',
    [
      ['created', 'deleted'],
      [':large_green_circle:', ':red_circle:'],
    ],
  ],
  [
    'kubewatch-updated',
    'not_an_alert',
    [
      ['updated', 'deleted'],
      ['daa038', 'a30200'],
    ],
  ],
  ['aws-notify-slack-cloudwatch-alarm', 'not_an_alert', [['`ALARM`', '`INSUFFICIENT_DATA`']]],
  [
    'aws-to-slack-cloudwatch-alarm',
    'resolved',
    [
      ['OK → ALARM', 'ALARM → OK'],
      ['state is now ALARM', 'state is now OK'],
      ['a30200', '2eb886'],
    ],
  ],
  [
    'aws-to-slack-cloudwatch-alarm',
    'not_an_alert',
    [
      ['OK → ALARM', 'OK → INSUFFICIENT_DATA'],
      ['a30200', 'daa038'],
    ],
  ],
  [
    'aws-alarm-text-alarm',
    'resolved',
    [['changed state to ALARM: Threshold Crossed', 'changed state to OK: Threshold Crossed']],
  ],
  [
    'aws-alarm-text-alarm',
    'not_an_alert',
    [['changed state to ALARM: Threshold Crossed', 'changed state to INSUFFICIENT_DATA: Insufficient Data']],
  ],
  [
    'aws-notify-slack-default-text',
    'resolved',
    [
      ['ALARM: ', 'OK: '],
      ['entered the ALARM state', 'entered the OK state'],
    ],
  ],
  [
    'amazonq-cloudwatch-alarm',
    'resolved',
    [
      ['"ALARM"', '"OK"'],
      ['a30200', '2eb886'],
      [':rotating_light:', ':white_check_mark:'],
    ],
  ],
  [
    'opsgenie-created',
    'resolved',
    [
      ['"New alert"', '"Closed"'],
      ['New alert #', 'Alert closed #'],
    ],
  ],
  [
    'opsgenie-created',
    'not_an_alert',
    [
      ['"New alert"', '"Acknowledged"'],
      ['New alert #', 'Alert acknowledged #'],
    ],
  ],
  [
    'newrelic-activated',
    'resolved',
    [
      ['ACTIVATED', 'CLOSED'],
      ['a30200', '2eb886'],
    ],
  ],
  ['newrelic-activated', 'not_an_alert', [['ACTIVATED', 'ACKNOWLEDGED']]],
  [
    'gcp-incident-open',
    'resolved',
    [
      ['is ongoing', 'is closed'],
      ['Incident ongoing', 'Incident closed'],
      ['a30200', '2eb886'],
    ],
  ],
  [
    'gcp-incident-open',
    'resolved',
    [
      ['is ongoing', 'has been resolved'],
      ['is above', 'returned to normal; was above'],
    ],
  ],
  [
    'honeycomb-trigger',
    'resolved',
    [
      ['Triggered:', 'Resolved:'],
      ['a30200', '2eb886'],
    ],
  ],
  [
    'pingdom-down',
    'resolved',
    [
      ['is DOWN', 'is UP'],
      ['a30200', '2eb886'],
    ],
  ],
  ['dynatrace-open', 'not_an_alert', [[':OPEN: *OPEN', ':MERGED: *MERGED']]],
  ['robusta-prometheus-firing', 'firing', [['*High*', '*Low*']]],
  ['pagerduty-triggered', 'resolved', [['*Triggered*', '*Resolved*']]],
  ['pagerduty-acknowledged-thread', 'resolved', [['Acknowledged by', 'Resolved by']]],
  [
    'pagerduty-acknowledged-thread',
    'not_an_alert',
    [['Acknowledged by Dana Reyes', ':x: Status changed to Acknowledged by Dana']],
  ],
  ['zabbix-problem', 'not_an_alert', [['Problem: ', 'Updated problem in 5m: ']]],
  ['azure-monitor-metric-fired', 'firing', [['Sev2', 'Sev4']]],
  ['sentry-issue-new', 'firing', [['*New*', '*Escalating*']]],
  ['sentry-issue-resolved-thread', 'not_an_alert', [['as resolved in an upcoming release', 'as archived']]],
  [
    'sentry-issue-resolved-thread',
    'not_an_alert',
    [
      ['marked <https', 'assigned <https'],
      ['as resolved in an upcoming release', 'to Sam'],
    ],
  ],
  ['uptime-kuma-down', 'resolved', [[':red_circle: Down', '✅ Up']]],
  ['uptime-kuma-down', 'firing', [[':red_circle: Down', '🔴 Down']]],
  [
    'rollbar-deploy',
    'firing',
    [['dreyes deployed revision 4be1f2c to production', 'New Error: TypeError: x is undefined']],
  ],
  ['falco-warning', 'firing', [['Warning', 'Critical']]],
  ['splunk-alert', 'firing', [['f58f39', '6DB7C6']]],
  ['dynatrace-open', 'firing', [[':OPEN: *OPEN', ':fire: *OPEN']]],
];

/** What another kind of event, or another name, makes another problem. */
const OTHER_PROBLEM = new Set(['nagios-host-down', 'rollbar-deploy', 'botkube-deployment-created']);

describe('the fixtures in other states', () => {
  it.each(rows)('%s: %s', (name, kind, words) => {
    const alert = parseAlert(changed(name, ...words));
    expect(alert.kind).toBe(kind);
    // An alert keeps its identity whatever its state; a notice has none.
    if (kind !== 'not_an_alert' && !OTHER_PROBLEM.has(name)) {
      expect(alert.fingerprint).toBe(parseAlert(messageOf(name)).fingerprint);
    }
  });
});
