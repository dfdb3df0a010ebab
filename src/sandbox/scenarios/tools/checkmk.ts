import { hostOf, type Problem } from './problem.ts';
import { unixDate } from './times.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** Checkmk's own notification, of a service. */
export const checkmk: Tool = {
  id: 'checkmk',
  name: 'Checkmk',
  fires: (problem, now) =>
    write(problem, now, {
      kind: 'PROBLEM',
      state: 'CRITICAL',
      color: '#EE0000',
      output: '15 min load: 41.20 (warn/crit at 20.00/40.00)(!!)\nPlease take a look: @sre-team',
    }),
  recovers: {
    by: 'message',
    write: (problem, now) =>
      write(problem, now, {
        kind: 'RECOVERY',
        state: 'OK',
        color: '#00CC00',
        output: '15 min load: 3.10',
      }),
  },
};

function write(
  problem: Problem,
  now: number,
  { kind, state, color, output }: { kind: string; state: string; color: string; output: string },
): ToolMessage {
  const host = hostOf(problem);
  const check = problem.symptom;
  const view = 'https://monitoring.shop.example/prod/check_mk/view.py?view_name=';
  const part = (title: string, text: string) => ({ color, fallback: title, title, text });
  return {
    username: 'checkmk',
    attachments: [
      part(
        `Service ${kind} notification`,
        `Host: <${view}hoststatus&amp;host=${host}|${host}> (IP: 10.3.0.12)\nService: <${view}service&amp;host=${host}&amp;service=${check.replaceAll(' ', '+')}|${check}>\nState: ${state}`,
      ),
      { ...part('Additional Info', output), footer: `Check_MK notification: ${unixDate(now)}` },
    ],
  };
}
