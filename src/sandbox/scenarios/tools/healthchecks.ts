import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A check of Healthchecks.io. */
export const healthchecks: Tool = {
  id: 'healthchecks',
  name: 'Healthchecks.io',
  fires: (problem) =>
    write(problem, {
      state: 'DOWN',
      color: 'danger',
      reason: 'Reason: success signal did not arrive on time, grace time passed.',
      last: 'Success, 1 day ago',
    }),
  recovers: {
    by: 'message',
    write: (problem) => write(problem, { state: 'UP', color: 'good', reason: '', last: 'Success, now' }),
  },
};

function write(
  { service, number }: Problem,
  { state, color, reason, last }: { state: string; color: string; reason: string; last: string },
): ToolMessage {
  const field = (title: string, value: string, short = true) => ({ title, value, short });
  const check = `Nightly job of ${service}`;
  return {
    username: 'Healthchecks.io',
    attachments: [
      {
        color,
        fallback: `The check "${check}" is ${state}.`,
        mrkdwn_in: ['fields'],
        title: `“${check}” is ${state}.`,
        title_link: `https://healthchecks.io/cloaked/9e107d9d372bb6826bd81d3542a419d6f2${number}/`,
        ...(reason === '' ? {} : { text: reason }),
        fields: [
          field('Description', `What ${service} does at night`, false),
          field('Project', service),
          field('Tags', '`prod` `shop`'),
          field('Schedule', '0 2 ͏* ͏* ͏*'),
          field('Time Zone', 'Europe/Berlin'),
          field('Total Pings', '412'),
          field('Last Ping', last),
        ],
      },
    ],
  };
}
