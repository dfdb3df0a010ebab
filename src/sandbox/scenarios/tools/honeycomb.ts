import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A trigger of Honeycomb's. */
export const honeycomb: Tool = {
  id: 'honeycomb',
  name: 'Honeycomb',
  fires: (problem) => write(problem, 'Triggered', 'danger'),
  recovers: { by: 'message', write: (problem) => write(problem, 'Resolved', 'good') },
};

function write({ service, symptom, number }: Problem, state: string, color: string): ToolMessage {
  const title = `${state}: ${symptom} of ${service}`;
  return {
    app: { app_id: 'A0F650236BC', name: 'Honeycomb' },
    attachments: [
      {
        color,
        fallback: title,
        title,
        title_link: `https://ui.honeycomb.io/shop/environments/production/datasets/${service}/triggers/abc${number}`,
        text: 'P95(duration_ms) &gt; 800',
      },
    ],
  };
}
