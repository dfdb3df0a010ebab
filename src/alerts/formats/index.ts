import type { Format } from '../format.ts';
import { alertmanager } from './alertmanager/index.ts';
import { amazonq } from './amazonq/index.ts';
import { aws } from './aws/index.ts';
import { checkmk } from './checkmk/index.ts';
import { datadog } from './datadog/index.ts';
import { generic } from './generic/index.ts';
import { grafana } from './grafana/index.ts';
import { healthchecks } from './healthchecks/index.ts';
import { icinga } from './icinga/index.ts';
import { nagios } from './nagios/index.ts';
import { netdata } from './netdata/index.ts';
import { pingdom } from './pingdom/index.ts';
import { sentry } from './sentry/index.ts';
import { uptimeKuma } from './uptime-kuma/index.ts';
import { uptimerobot } from './uptimerobot/index.ts';
import { zabbix } from './zabbix/index.ts';

/** Every format, in the order of asking. The generic one reads whatever the others left, so it stays last. */
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
  pingdom,
  aws,
  amazonq,
  generic,
];
