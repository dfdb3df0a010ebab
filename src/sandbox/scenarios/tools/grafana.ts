import { hostOf, type Problem } from './problem.ts';
import { seconds } from './times.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** Unified alerting, Grafana's own template. */
export const grafana: Tool = {
  id: 'grafana',
  name: 'Grafana',
  fires: (problem, now) =>
    write(problem, now, { prefix: 'FIRING:1', state: 'Firing', color: '#D63232', value: 'A=2.41, C=1' }),
  recovers: {
    by: 'message',
    write: (problem, now) =>
      write(problem, now, { prefix: 'RESOLVED', state: 'Resolved', color: '#36a64f', value: 'A=0.44, C=0' }),
  },
};

function write(
  problem: Problem,
  now: number,
  { prefix, state, color, value }: { prefix: string; state: string; color: string; value: string },
): ToolMessage {
  const { service, symptom, number } = problem;
  const home = 'https://grafana.shop.example';
  const uid = `cdv3k2m1${number}`;
  const rule = `${home}/alerting/grafana/${uid}/view?orgId=1`;
  const range = `from=${now - 3_600_000}&amp;orgId=1&amp;to=${now}`;
  const title = `[${prefix}] ${symptom} Shop (production ${hostOf(problem)} eu-west-1 ${service} critical)`;
  const text = [
    `**${state}**\n`,
    `Value: ${value}`,
    'Labels:',
    ` - alertname = ${symptom}`,
    ' - env = production',
    ' - grafana_folder = Shop',
    ` - instance = ${hostOf(problem)}`,
    ' - region = eu-west-1',
    ` - service = ${service}`,
    ' - severity = critical',
    'Annotations:',
    ` - runbook_url = https://runbooks.shop.example/${service}`,
    ` - summary = ${symptom} of ${service}`,
    `Source: <${rule}>`,
    `Silence: <${home}/alerting/silence/new?alertmanager=grafana&amp;matcher=__alert_rule_uid__%3D${uid}&amp;orgId=1>`,
    `Dashboard: <${home}/d/aeq1b2c3?${range}>`,
    `Panel: <${home}/d/aeq1b2c3?${range}&amp;viewPanel=12>\n`,
  ].join('\n');
  return {
    username: 'Grafana',
    attachments: [
      {
        color,
        fallback: title,
        title,
        title_link: rule,
        text,
        footer: 'Grafana v11.3.0',
        footer_icon: 'https://grafana.com/static/assets/img/fav32.png',
        ts: seconds(now),
      },
    ],
  };
}
