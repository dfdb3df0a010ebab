import { seconds } from './times.ts';
import type { Tool } from './tool.ts';

/** An error event of a pod. Botkube tells of events, never that something is over. */
export const botkube: Tool = {
  id: 'botkube',
  name: 'Botkube',
  fires: ({ service, number }, now) => {
    const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
    const field = (name: string, value: string) => ({ type: 'mrkdwn', text: `*${name}:* ${value}` });
    return {
      app: { app_id: 'A028D909B6E', name: 'Botkube' },
      text: '',
      blocks: [
        section('*:exclamation: v1/pods error*'),
        {
          type: 'section',
          fields: [
            field('Kind', 'Pod'),
            field('Name', `${service}-6c9f7d5b8c-x2kqp`),
            field('Namespace', `shop-${number}`),
            field('Reason', 'BackOff'),
            field('Cluster', 'prod-eu'),
          ],
        },
        section('*Messages*\n• Back-off restarting failed container'),
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              text: `<!date^${seconds(now)}^{date_num} {time_secs}|${new Date(now).toUTCString()}>`,
            },
          ],
        },
      ],
    };
  },
  recovers: null,
};
