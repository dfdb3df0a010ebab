import { hostOf, type Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A CloudWatch alarm, as Amazon Q (once AWS Chatbot) brings it. */
export const amazonq: Tool = {
  id: 'amazonq',
  name: 'Amazon Q',
  fires: (problem) =>
    write(problem, {
      state: 'ALARM',
      emoji: ':rotating_light:',
      color: 'danger',
      reason: '1 datapoint [83.0] was greater than',
    }),
  recovers: {
    by: 'message',
    write: (problem) =>
      write(problem, {
        state: 'OK',
        emoji: ':white_check_mark:',
        color: 'good',
        reason: '1 datapoint [12.0] was not greater than',
      }),
  },
};

function write(
  problem: Problem,
  { state, emoji, color, reason }: { state: string; emoji: string; color: string; reason: string },
): ToolMessage {
  const alarm = `prod-${hostOf(problem)}-5xx`;
  const title = `CloudWatch Alarm | ${alarm} | us-east-1 | Account: 123456789012`;
  return {
    app: { app_id: 'A6L22LZNH', name: 'Amazon Q Developer' },
    text: `${emoji} ${title}`,
    attachments: [
      {
        color,
        title,
        title_link: `https://console.aws.amazon.com/cloudwatch/home?region=us-east-1#alarmsV2:alarm/${alarm}`,
        text: `Threshold Crossed: ${reason} the threshold (50.0).`,
        fields: [
          { title: 'State', value: state, short: true },
          { title: 'Namespace', value: 'AWS/ApplicationELB', short: true },
        ],
      },
    ],
  };
}
