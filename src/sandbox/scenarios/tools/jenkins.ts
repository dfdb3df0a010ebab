import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A job of Jenkins', by its own Slack plugin. */
export const jenkins: Tool = {
  id: 'jenkins',
  name: 'Jenkins',
  fires: (problem) => write(problem, 482, 'Failure after 3 min 12 sec', 'danger'),
  recovers: {
    by: 'message',
    write: (problem) => write(problem, 484, 'Back to normal after 1 hr 5 min', 'good'),
  },
};

function write({ service, number }: Problem, build: number, status: string, color: string): ToolMessage {
  const branch = `release-${number}`;
  const page = `https://ci.shop.example/job/${service}/job/${branch}/${build}/display/redirect`;
  const line = `${service} » ${branch} - #${build} ${status} (<${page}|Open>)`;
  return {
    app: { app_id: 'A029A171616', name: 'jenkins' },
    attachments: [
      {
        color,
        fallback: line,
        fields: [{ title: '', value: line, short: false }],
        mrkdwn_in: ['pretext', 'text', 'fields'],
      },
    ],
  };
}
