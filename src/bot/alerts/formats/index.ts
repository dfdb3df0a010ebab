import type { Format } from '../format.ts';
import { alertmanager } from './alertmanager/index.ts';
import { amazonq } from './amazonq/index.ts';
import { argocd } from './argocd/index.ts';
import { aws } from './aws/index.ts';
import { azure } from './azure/index.ts';
import { botkube } from './botkube/index.ts';
import { bugsnag } from './bugsnag/index.ts';
import { checkmk } from './checkmk/index.ts';
import { datadog } from './datadog/index.ts';
import { dynatrace } from './dynatrace/index.ts';
import { falco } from './falco/index.ts';
import { gatus } from './gatus/index.ts';
import { gcp } from './gcp/index.ts';
import { generic } from './generic/index.ts';
import { githubActions } from './github-actions/index.ts';
import { grafana } from './grafana/index.ts';
import { healthchecks } from './healthchecks/index.ts';
import { honeycomb } from './honeycomb/index.ts';
import { icinga } from './icinga/index.ts';
import { incidentio } from './incidentio/index.ts';
import { jenkins } from './jenkins/index.ts';
import { kibana } from './kibana/index.ts';
import { kubewatch } from './kubewatch/index.ts';
import { nagios } from './nagios/index.ts';
import { netdata } from './netdata/index.ts';
import { newrelic } from './newrelic/index.ts';
import { opsgenie } from './opsgenie/index.ts';
import { pagerduty } from './pagerduty/index.ts';
import { pingdom } from './pingdom/index.ts';
import { robusta } from './robusta/index.ts';
import { rollbar } from './rollbar/index.ts';
import { sentry } from './sentry/index.ts';
import { splunk } from './splunk/index.ts';
import { uptimeKuma } from './uptime-kuma/index.ts';
import { uptimerobot } from './uptimerobot/index.ts';
import { zabbix } from './zabbix/index.ts';

/** Every format, in the order they are tried. The generic one reads what the others do not, so it stays last. */
export const formats: readonly Format[] = [
  alertmanager,
  grafana,
  datadog,
  sentry,
  zabbix,
  nagios,
  checkmk,
  icinga,
  netdata,
  uptimeKuma,
  healthchecks,
  uptimerobot,
  gatus,
  pingdom,
  aws,
  amazonq,
  azure,
  gcp,
  pagerduty,
  opsgenie,
  newrelic,
  incidentio,
  honeycomb,
  splunk,
  rollbar,
  bugsnag,
  robusta,
  argocd,
  jenkins,
  githubActions,
  kibana,
  falco,
  botkube,
  kubewatch,
  dynatrace,
  generic,
];
