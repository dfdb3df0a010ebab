import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A Prometheus alert, as Robusta tells it. */
export const robusta: Tool = {
  id: 'robusta',
  name: 'Robusta',
  fires: (problem) =>
    write(problem, { prefix: '', head: ':fire: `Prometheus Alert Firing` :fire:', color: '#EF311F' }),
  recovers: {
    by: 'message',
    write: (problem) =>
      write(problem, {
        prefix: '[RESOLVED] ',
        head: ':white_check_mark: *Prometheus resolved*',
        color: '#00B302',
      }),
  },
};

function write(
  { service, number }: Problem,
  { prefix, head, color }: { prefix: string; head: string; color: string },
): ToolMessage {
  const pod = `${service}-7d9f`;
  const title = `Pod ${pod} in namespace shop is crash looping`;
  const home = 'https://platform.robusta.dev';
  const graph = `${home}/graphs/${number}?tab=timeline`;
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const button = (text: string, action_id: string, url: string) => ({
    type: 'button',
    text: { type: 'plain_text', text },
    action_id,
    url,
  });
  return {
    app: { app_id: 'A03147E32BA', name: 'Robusta' },
    text: `${prefix}${title}`,
    blocks: [
      section(`${head} :red_circle: *High*\n<${graph}|*${title}*>`),
      {
        type: 'actions',
        elements: [
          button('Investigate :mag_right:', 'link_0', graph),
          button(
            'Configure Silences :no_bell:',
            'link_1',
            `${home}/silences/create?alertname=KubePodCrashLooping`,
          ),
        ],
      },
      section(`*Source:* \`prod-${number}\``),
      section(
        `:rotating_light: *Alert:* Pod shop/${pod} (${service}) is in waiting state (reason: "CrashLoopBackOff").`,
      ),
      { type: 'divider' },
    ],
    attachments: [
      {
        color,
        blocks: [
          section(
            `*Alert labels*\n● severity \`critical\`\n● namespace \`shop\`\n● pod \`${pod}\`\n● job \`kube-state-metrics\``,
          ),
          { type: 'divider' },
        ],
      },
    ],
  };
}
