import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** An alert of Opsgenie's. */
export const opsgenie: Tool = {
  id: 'opsgenie',
  name: 'Opsgenie',
  fires: (problem) => write(problem, 'New alert', 'danger'),
  recovers: { by: 'message', write: (problem) => write(problem, 'Alert closed', 'good') },
};

function write({ service, symptom, number }: Problem, status: string, color: string): ToolMessage {
  const title = `${service} ${symptom.toLowerCase()}`;
  const field = (name: string, value: string) => ({ title: name, value, short: true });
  return {
    app: { app_id: 'A0965C00172', name: 'Opsgenie' },
    attachments: [
      {
        color,
        fallback: `${status} #${number}: [P2] ${title}`,
        pretext: status,
        title: `#${number}: ${title}`,
        title_link: `https://shop.app.opsgenie.com/alert/detail/909993c0-72e7-4433-9e9e-30a219${number}-1763460000000/details`,
        fields: [
          field('Priority', 'P2'),
          field('Status', status),
          field('Tags', `prod, ${service}`),
          field('Routed Teams', 'sre'),
        ],
        footer: 'Opsgenie',
      },
    ],
  };
}
