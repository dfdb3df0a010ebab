import { hostOf, type Problem } from './problem.ts';
import { unixDate } from './times.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A host, by the usual script for Nagios. */
export const nagios: Tool = {
  id: 'nagios',
  name: 'Nagios',
  fires: (problem, now) =>
    write(problem, now, {
      kind: 'PROBLEM',
      state: 'DOWN',
      color: 'danger',
      output: 'CRITICAL - Host Unreachable (10.20.4.22)',
    }),
  recovers: {
    by: 'message',
    write: (problem, now) =>
      write(problem, now, {
        kind: 'RECOVERY',
        state: 'UP',
        color: 'good',
        output: 'PING OK - Packet loss = 0%, RTA = 0.41 ms',
      }),
  },
};

function write(
  problem: Problem,
  now: number,
  { kind, state, color, output }: { kind: string; state: string; color: string; output: string },
): ToolMessage {
  const host = hostOf(problem);
  const title = `Host ${kind} notification`;
  const more = 'Additional Info :';
  return {
    username: 'nagios',
    attachments: [
      {
        color,
        fallback: title,
        title,
        text: `Host:        ${host}\nIP:             10.20.4.22\nState:        ${state}`,
      },
      {
        color,
        fallback: more,
        title: more,
        text: `\n${output} \nUrl:            <https://nagios.shop.example/nagios/cgi-bin/status.cgi?host=${host}>`,
        footer: `Nagios notification: ${unixDate(now)}`,
        footer_icon: 'http://env.shop.example/Nagios.png',
      },
    ],
  };
}
