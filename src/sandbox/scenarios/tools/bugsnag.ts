import type { Problem } from './problem.ts';
import { ruleOf } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** An error of Bugsnag's. */
export const bugsnag: Tool = {
  id: 'bugsnag',
  name: 'Bugsnag',
  fires: (problem) => write(problem, 'New exception'),
  recovers: { by: 'message', write: (problem) => write(problem, 'Error fixed') },
};

function write(problem: Problem, trigger: string): ToolMessage {
  const { service, symptom, number } = problem;
  const project = `https://app.bugsnag.com/acme/${service}`;
  return {
    username: 'Bugsnag',
    text: `${trigger} in production from <${project}|${service}> in cart#show <${project}/errors/${number}|(details)>`,
    attachments: [
      {
        color: '#E45F58',
        fallback: 'Something happened',
        fields: [{ title: 'Error', value: `${ruleOf(problem)}Error: ${symptom}` }],
      },
    ],
  };
}
