import { hostOf, type Problem } from './problem.ts';
import { datapointTime } from './times.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A CloudWatch alarm, by the Terraform module notify-slack. */
export const aws: Tool = {
  id: 'aws',
  name: 'AWS CloudWatch',
  fires: (problem, now) =>
    write(problem, {
      from: 'OK',
      to: 'ALARM',
      color: 'danger',
      reason: `[83.0 (${datapointTime(now)})] was greater than the threshold (50.0)`,
    }),
  recovers: {
    by: 'message',
    write: (problem, now) =>
      write(problem, {
        from: 'ALARM',
        to: 'OK',
        color: 'good',
        reason: `[2.0 (${datapointTime(now)})] was not greater than the threshold (50.0)`,
      }),
  },
};

function write(
  problem: Problem,
  { from, to, color, reason }: { from: string; to: string; color: string; reason: string },
): ToolMessage {
  const alarm = `prod-${hostOf(problem)}-5xx`;
  const field = (title: string, value: string, short: boolean) => ({ title, value: `\`${value}\``, short });
  return {
    username: 'reporter',
    icon: ':aws:',
    attachments: [
      {
        color,
        fallback: `Alarm ${alarm} triggered`,
        text: `AWS CloudWatch notification - ${alarm}`,
        fields: [
          field('Alarm Name', alarm, true),
          field('Alarm Description', `5xx of ${problem.service} above 50 in 5 minutes`, false),
          field(
            'Alarm reason',
            `Threshold Crossed: 1 out of the last 1 datapoints ${reason} (minimum 1 datapoint for ${from} -&gt; ${to} transition).`,
            false,
          ),
          field('Old State', from, true),
          field('Current State', to, true),
          {
            title: 'Link to Alarm',
            value: `<https://console.aws.amazon.com/cloudwatch/home?region=eu-west-1#alarm:alarmFilter=ANY;name=${alarm}>`,
            short: false,
          },
        ],
      },
    ],
  };
}
