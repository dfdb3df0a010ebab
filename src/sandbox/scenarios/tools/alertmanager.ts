import { hostOf, type Problem, ruleOf } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

const LINK = 'http://alertmanager.shop.example:9093/#/alerts?receiver=slack-alerts';

/** The default template, for a group of one. */
export const alertmanager: Tool = {
  id: 'alertmanager',
  name: 'Alertmanager',
  fires: (problem) => write(problem, 'FIRING:1', 'danger'),
  recovers: { by: 'message', write: (problem) => write(problem, 'RESOLVED', 'good') },
};

function write(problem: Problem, state: string, color: string): ToolMessage {
  const title = `[${state}] ${ruleOf(problem)} ${problem.service} (prod ${hostOf(problem)} shop eu-west-1 critical)`;
  return {
    username: 'Alertmanager',
    icon: ':fire:',
    attachments: [
      {
        color,
        fallback: `${title} | ${LINK}`,
        title,
        title_link: LINK,
        mrkdwn_in: ['fallback', 'pretext', 'text'],
      },
    ],
  };
}
