import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** An incident. PagerDuty edits its message as the incident goes on. */
export const pagerduty: Tool = {
  id: 'pagerduty',
  name: 'PagerDuty',
  fires: (problem) => write(problem, ':red_circle: *Triggered*'),
  recovers: { by: 'edit', write: (problem) => write(problem, ':large_green_circle: *Resolved*') },
};

function write({ service, symptom, number }: Problem, state: string): ToolMessage {
  const home = 'https://shop.pagerduty.com';
  const line = `${state} <${home}/incidents/Q393WGJH${number}|[#${number}] ${service}: ${symptom.toLowerCase()}>`;
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
  return {
    app: { app_id: 'A1FKYAUUX', name: 'PagerDuty' },
    text: line.slice(line.indexOf('*')),
    blocks: [
      { type: 'section', text: mrkdwn(line) },
      {
        type: 'section',
        fields: [
          mrkdwn(`*Service:* <${home}/services/PIJ90N7|${service}>`),
          mrkdwn('*Urgency:* High'),
          mrkdwn(`*Assigned:* <${home}/users/PBOCFRJ|Dana Reyes>`),
        ],
      },
      {
        type: 'context',
        elements: [
          mrkdwn('Triggered via <https://grafana.shop.example/alerting/grafana/cdv3k2m1x7a80b/view|Grafana>'),
        ],
      },
    ],
  };
}
