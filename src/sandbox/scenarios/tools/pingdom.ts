import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A check of Pingdom's. */
export const pingdom: Tool = {
  id: 'pingdom',
  name: 'Pingdom',
  fires: (problem) => write(problem, { state: 'DOWN', color: 'danger', text: 'Timeout (&gt; 30s)' }),
  recovers: {
    by: 'message',
    write: (problem) => write(problem, { state: 'UP', color: 'good', text: 'It was down for 10 minutes' }),
  },
};

function write(
  { service, number }: Problem,
  { state, color, text }: { state: string; color: string; text: string },
): ToolMessage {
  return {
    username: 'Pingdom',
    attachments: [
      {
        color,
        fallback: `${service} is ${state}`,
        title: `${service} (${service}.shop.example) is ${state}`,
        title_link: `https://my.pingdom.com/reports/responsetime#check=${number}`,
        text,
      },
    ],
  };
}
