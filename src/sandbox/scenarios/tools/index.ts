import { alertmanager } from './alertmanager.ts';
import { amazonq } from './amazonq.ts';
import { argocd } from './argocd.ts';
import { aws } from './aws.ts';
import { azure } from './azure.ts';
import { botkube } from './botkube.ts';
import { bugsnag } from './bugsnag.ts';
import { checkmk } from './checkmk.ts';
import { datadog } from './datadog.ts';
import { dynatrace } from './dynatrace.ts';
import { falco } from './falco.ts';
import { toolsFromFixtures } from './from-fixtures.ts';
import { gcp } from './gcp.ts';
import { githubActions } from './github-actions.ts';
import { grafana } from './grafana.ts';
import { healthchecks } from './healthchecks.ts';
import { honeycomb } from './honeycomb.ts';
import { icinga } from './icinga.ts';
import { incidentio } from './incidentio.ts';
import { jenkins } from './jenkins.ts';
import { kibana } from './kibana.ts';
import { kubewatch } from './kubewatch.ts';
import { nagios } from './nagios.ts';
import { netdata } from './netdata.ts';
import { newrelic } from './newrelic.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { pingdom } from './pingdom.ts';
import { robusta } from './robusta.ts';
import { rollbar } from './rollbar.ts';
import { sentry } from './sentry.ts';
import { splunk } from './splunk.ts';
import type { Tool } from './tool.ts';
import { uptimeKuma } from './uptime-kuma.ts';
import { uptimerobot } from './uptimerobot.ts';
import { zabbix } from './zabbix.ts';

/** Tools whose messages are written out here. A tool that is not among them is played from its fixtures. */
const written: readonly Tool[] = [
  alertmanager,
  amazonq,
  argocd,
  aws,
  azure,
  botkube,
  bugsnag,
  checkmk,
  datadog,
  dynatrace,
  falco,
  gcp,
  githubActions,
  grafana,
  healthchecks,
  honeycomb,
  icinga,
  incidentio,
  jenkins,
  kibana,
  kubewatch,
  nagios,
  netdata,
  newrelic,
  opsgenie,
  pagerduty,
  pingdom,
  robusta,
  rollbar,
  sentry,
  splunk,
  uptimeKuma,
  uptimerobot,
  zabbix,
];

/** Every tool whose alerts can be played, as the panel lists them. */
export const tools: readonly Tool[] = [...written, ...toolsFromFixtures(written)].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
