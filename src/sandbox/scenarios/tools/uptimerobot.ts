import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A monitor of UptimeRobot's. */
export const uptimerobot: Tool = {
  id: 'uptimerobot',
  name: 'UptimeRobot',
  fires: (problem) => write(problem, 'DOWN', ''),
  recovers: {
    by: 'message',
    write: (problem) => write(problem, 'UP', '. It was down for 10 minutes and 4 seconds.'),
  },
};

function write({ service, number }: Problem, state: string, after: string): ToolMessage {
  return {
    username: 'Uptime Robot',
    text: `Monitor is ${state}: ${service} ${number} ( <https://api.shop.example/${service}/health> )${after}`,
  };
}
