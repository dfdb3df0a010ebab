import type { Problem } from './problem.ts';
import { sqlTime } from './times.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A monitor of Uptime Kuma's. */
export const uptimeKuma: Tool = {
  id: 'uptime-kuma',
  name: 'Uptime Kuma',
  fires: (problem, now) =>
    write(problem, now, { state: '[:red_circle: Down] timeout of 48000ms exceeded', color: '#e01e5a' }),
  recovers: {
    by: 'message',
    write: (problem, now) =>
      write(problem, now, { state: '[:white_check_mark: Up] 200 - OK', color: '#2eb886' }),
  },
};

function write(
  { service, number }: Problem,
  now: number,
  { state, color }: { state: string; color: string },
): ToolMessage {
  const name = `${service} ${number}`;
  const line = `[${name}] ${state}`;
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
  const button = (text: string, value: string, url: string) => ({
    type: 'button',
    text: { type: 'plain_text', text },
    value,
    url,
  });
  return {
    username: 'Uptime Kuma',
    icon: ':bear:',
    text: line,
    attachments: [
      {
        color,
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: name, emoji: true } },
          { type: 'context', elements: [mrkdwn('_Production / Storefront_')] },
          {
            type: 'section',
            fields: [mrkdwn(`*Message*\n${line}`), mrkdwn(`*Time (Etc/UTC)*\n${sqlTime(now)}`)],
          },
          {
            type: 'actions',
            elements: [
              button('Visit Uptime Kuma', 'Uptime-Kuma', 'https://status.shop.example/dashboard/17'),
              button('Visit site', 'Site', `https://shop.example/${service}`),
            ],
          },
        ],
      },
    ],
  };
}
