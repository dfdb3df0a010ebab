import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

const APP = { app_id: 'A078D710FDF', name: 'Sentry' };
const HOME = 'https://shop.sentry.io';

/** A new issue. That somebody has resolved it stands in its thread. */
export const sentry: Tool = {
  id: 'sentry',
  name: 'Sentry',
  fires,
  recovers: { by: 'reply', write: resolved },
};

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const context = (text: string) => ({ type: 'context', elements: [mrkdwn(text)] });

function shortId({ service, number }: Problem): string {
  return `${service.toUpperCase()}-${number.toString(36).toUpperCase()}`;
}

function fires(problem: Problem): ToolMessage {
  const { service, symptom, number } = problem;
  const error = `${symptom}: cannot read properties of undefined (reading 'payload_transform')`;
  const button = (text: string, value: string) => ({
    type: 'button',
    text: { type: 'plain_text', text },
    action_id: value,
    value,
  });
  return {
    app: APP,
    text: `[${service}] TypeError: ${error}`,
    blocks: [
      {
        ...section(
          `:red_circle: <${HOME}/issues/7700${number}/?referrer=slack&amp;notification_uuid=35f355ed-a668-4817-8944-3f1365672acd&amp;environment=production&amp;workflow_id=3657647&amp;alert_type=issue|*TypeError*>`,
        ),
        block_id: `{"issue":7700${number},"rule":16977944}`,
      },
      context(`POST /${service}`),
      section(`\`\`\`${error}\`\`\``),
      {
        ...section(
          `environment: \`production\`  release: \`<${HOME}/releases/${service}%401.42.0/|1.42.0>\`  server_name: \`web-14\`  `,
        ),
        block_id: `tags_issue_7700${number}_rule_16977944`,
      },
      context('State: *New*   First Seen: *Just now*'),
      {
        type: 'actions',
        elements: [
          button('Resolve', 'resolve_dialog'),
          button('Archive', 'archive_dialog'),
          {
            type: 'external_select',
            placeholder: { type: 'plain_text', text: 'Select Assignee...', emoji: true },
            action_id: 'assign',
          },
        ],
      },
      context(
        `Project: <${HOME}/issues/?project=4511647571574784|${service}>    Alert: <https://sentry.io/organizations/shop/monitors/alerts/3657647/|Notify #alerts via Slack>    Short ID: ${shortId(problem)}`,
      ),
      { type: 'divider' },
    ],
  };
}

function resolved(problem: Problem): ToolMessage {
  const said = `Dana Reyes marked <${HOME}/issues/7700${problem.number}/?referrer=slack|${shortId(problem)}> as resolved in an upcoming release`;
  const project = `Project: ${problem.service}`;
  return { app: APP, text: `${said}\n${project}`, blocks: [section(said), context(project)] };
}
