import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A problem, in the words of a template. */
export const dynatrace: Tool = {
  id: 'dynatrace',
  name: 'Dynatrace',
  fires: (problem) => write(problem, 'OPEN'),
  recovers: { by: 'message', write: (problem) => write(problem, 'RESOLVED') },
};

function write({ service, symptom, number }: Problem, state: string): ToolMessage {
  return {
    username: 'Dynatrace',
    text: `:${state}: *${state} ${symptom} of ${service}*\n<https://abc12345.live.dynatrace.com/#problems/problemdetails;pid=${number}>`,
  };
}
