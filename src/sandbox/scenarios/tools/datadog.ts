import type { Problem } from './problem.ts';
import { seconds } from './times.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A monitor of logs. */
export const datadog: Tool = {
  id: 'datadog',
  name: 'Datadog',
  fires: (problem, now) =>
    write(problem, now, {
      state: 'Triggered',
      color: 'danger',
      found: '@pagerduty-shop Check this ASAP!\n\nMore than 20.0',
    }),
  recovers: {
    by: 'message',
    write: (problem, now) =>
      write(problem, now, { state: 'Recovered', color: 'good', found: 'Less than or exactly 20.0' }),
  },
};

function write(
  { service, symptom, number }: Problem,
  now: number,
  { state, color, found }: { state: string; color: string; found: string },
): ToolMessage {
  const title = `${state}: ${symptom} of ${service}`;
  const view = 'View in Log Explorer';
  const event = `8788640818269${number}`;
  const logs = 'https://app.datadoghq.com/logs?query=env%3Aproduction';
  return {
    app: { app_id: 'A0ADB852DE6', name: 'Datadog' },
    attachments: [
      {
        color,
        fallback: title,
        title,
        title_link: `https://app.datadoghq.com/monitors/${number}?from_ts=${now - 900_000}&to_ts=${now + 300_000}&event_id=${event}&link_source=monitor_notif&link_monitor_id=${number}&link_event_id=${event}&link_event_ts=${seconds(now)}`,
        text: `@slack-shop-alerts\n\n${found} log events matched in the last 5m against the monitored query: <${logs}|\`env:production service:${service} status:error\`>`,
        footer: 'Notified: @slack-shop-alerts',
        mrkdwn_in: ['text'],
      },
      {
        fallback: view,
        title: view,
        title_link: `${logs}+service%3A${service}+status%3Aerror&link_monitor_id=${number}`,
      },
    ],
  };
}
