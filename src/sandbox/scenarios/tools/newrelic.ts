import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** An issue of New Relic's. */
export const newrelic: Tool = {
  id: 'newrelic',
  name: 'New Relic',
  fires: (problem) => write(problem, 'ACTIVATED', 'danger'),
  recovers: { by: 'message', write: (problem) => write(problem, 'CLOSED', 'good') },
};

function write({ service, symptom, number }: Problem, state: string, color: string): ToolMessage {
  const title = `${symptom} for at least 2 minutes on '${service}'`;
  const field = (name: string, value: string, short = true) => ({ title: name, value, short });
  return {
    app: { app_id: 'A08D166D945', name: 'New Relic' },
    attachments: [
      {
        color,
        fallback: `${state}: ${title}`,
        title,
        title_link: `https://radar-api.service.newrelic.com/accounts/1234567/issues/0ea2df1c-adab-45d2-aae0-042b60${number}?notifier=SLACK`,
        text: `Issue ${state}`,
        fields: [
          field('Priority', 'CRITICAL'),
          field('State', state),
          field('Policy', 'Golden Signals'),
          field('Condition', symptom),
          field('Impacted entities', service, false),
        ],
      },
    ],
  };
}
