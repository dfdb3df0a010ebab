import { hostOf, type Problem } from './problem.ts';
import { sqlTime } from './times.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A trigger, by Zabbix' own media type in the mode in which every event is a message. */
export const zabbix: Tool = {
  id: 'zabbix',
  name: 'Zabbix',
  fires: (problem, now) => write(problem, now, 'Problem', '#E97659'),
  recovers: {
    by: 'message',
    write: (problem, now) => {
      const minutes = Math.max(0, Math.round((now - problem.since) / 60_000));
      return write(problem, now, `Resolved in ${minutes}m 3s`, '#009900');
    },
  },
};

function write(problem: Problem, now: number, state: string, color: string): ToolMessage {
  const { service, symptom, number } = problem;
  const title = `${state}: ${symptom} (for 5m)`;
  const link = `https://zabbix.shop.example/tr_events.php?triggerid=23456&eventid=${number}`;
  const field = (name: string, value: string) => ({ title: name, value, short: true });
  return {
    app: { app_id: 'A01B56D3CD7', name: 'Zabbix' },
    attachments: [
      {
        color,
        fallback: title,
        title,
        title_link: link,
        pretext: '',
        actions: [{ id: '1', type: 'button', text: 'Open in Zabbix', url: link }],
        fields: [
          field('Host', `${hostOf(problem)} [10.20.4.17]`),
          field('Event time', sqlTime(now).replaceAll('-', '.')),
          field('Severity', 'High'),
          field('Opdata', 'Current value: 97.1 %'),
          field('Event tags', `env: production\nservice: ${service}`),
          field('Trigger description', `${symptom}. The system might be slow to respond.`),
        ],
      },
    ],
  };
}
