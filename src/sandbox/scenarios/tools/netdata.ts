import { hostOf, type Problem } from './problem.ts';
import { seconds } from './times.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** An alert of a Netdata agent's. */
export const netdata: Tool = {
  id: 'netdata',
  name: 'Netdata',
  fires: (problem, now) =>
    write(problem, now, {
      state: 'needs attention',
      color: 'warning',
      title: 'Disk / space usage = 91.2%',
      image: 'alert-128-orange',
    }),
  recovers: {
    by: 'message',
    write: (problem, now) =>
      write(problem, now, {
        state: 'recovered',
        color: 'good',
        title: 'Disk / space usage = 61.0% (alarm was raised for 10 minutes)',
        image: 'check-mark-2-128-green',
      }),
  },
};

function write(
  problem: Problem,
  now: number,
  { state, color, title, image }: { state: string; color: string; title: string; image: string },
): ToolMessage {
  const host = hostOf(problem);
  const images = 'https://registry.my-netdata.io/images';
  const about = 'Total space utilization of disk /var';
  return {
    username: `netdata on ${host}`,
    text: `${host} ${state}, \`disk_space._var\`, *${title}*`,
    attachments: [
      {
        color,
        fallback: `${title} - disk_space._var - ${about}`,
        title,
        title_link: `https://registry.my-netdata.io/registry-alert-redirect.html?agent_machine_guid=6d1&host_machine_guid=6d1&transition_id=${seconds(now)}`,
        text: about,
        fields: [{ title: 'disk_space._var', value: 'chart', short: true }],
        thumb_url: `${images}/${image}.png`,
        footer: `by ${host}`,
        ts: seconds(now),
      },
    ],
  };
}
