import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** The APM rule for the number of errors. */
export const kibana: Tool = {
  id: 'kibana',
  name: 'Kibana',
  fires: (problem, now) => write(problem, now, 15, 'is active with the following conditions:'),
  recovers: { by: 'message', write: (problem, now) => write(problem, now, 2, 'has recovered.') },
};

function write({ service, number }: Problem, now: number, errors: number, state: string): ToolMessage {
  const from = new Date(now - 3_600_000).toISOString();
  return {
    username: 'Kibana',
    text: [
      `Error count is ${errors} in the last 5 mins for service: ${service}, env: production. Alert when &gt; 10.\n`,
      `APM error count ${state}\n`,
      `- Service name: ${service}`,
      '- Environment: production',
      `- Error key: ${number}`,
      `- Error count: ${errors} errors over the last 5 mins`,
      '- Threshold: 10\n',
      `[View alert details](<https://kibana.shop.example/app/observability/alerts?_a=(kuery:%27kibana.alert.uuid:%20%22${number}%22%27%2CrangeFrom:%27${from}%27%2CrangeTo:now%2Cstatus:all)>)\n`,
    ].join('\n'),
  };
}
