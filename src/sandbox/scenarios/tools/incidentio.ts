import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** An alert that incident.io passes on. */
export const incidentio: Tool = {
  id: 'incidentio',
  name: 'incident.io',
  fires: (problem) => write(problem, 'New'),
  recovers: { by: 'message', write: (problem) => write(problem, 'Resolved') },
};

function write({ service, symptom, number }: Problem, state: string): ToolMessage {
  const heading = `${state} alert from Grafana`;
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  return {
    app: { app_id: 'A07E05328F6', name: 'incident.io' },
    text: heading,
    blocks: [
      section(heading),
      section(`${symptom} of ${service} (rule ${number})`),
      section('Priority: High'),
    ],
  };
}
