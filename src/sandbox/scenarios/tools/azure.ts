import { hostOf, type Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** Azure Monitor, through a logic app. */
export const azure: Tool = {
  id: 'azure',
  name: 'Azure Monitor',
  fires: (problem) => write(problem, { state: 'Fired', color: '#D4351C', value: '91.4' }),
  recovers: {
    by: 'message',
    write: (problem) => write(problem, { state: 'Resolved', color: '#00703C', value: '42.0' }),
  },
};

function write(
  problem: Problem,
  { state, color, value }: { state: string; color: string; value: string },
): ToolMessage {
  const host = hostOf(problem);
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const resource = `https://portal.azure.com/#@8f2e1c/resource/subscriptions/0c5e1a7b/resourcegroups/shop/providers/microsoft.web/sites/${host}`;
  return {
    app: { app_id: 'A0E3BFCE8C8', name: 'Azure Alerts' },
    text: `${host}-cpu: ${state}`,
    attachments: [
      {
        color,
        blocks: [
          section(
            `*Alert Rule:* ${host}-cpu \n*Description:* Action will be triggered when CPU usage is higher than 80% `,
          ),
          {
            type: 'section',
            fields: [
              { type: 'mrkdwn', text: `*Resource:* \n <${resource}|${host}>` },
              { type: 'mrkdwn', text: '*Severity:* \n Sev2' },
            ],
          },
          section('*Metric:* CpuPercentage Average GreaterThan 80'),
          section(`*Recorded value:* \n${value} `),
        ],
      },
    ],
  };
}
