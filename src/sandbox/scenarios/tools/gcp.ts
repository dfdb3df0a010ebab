import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** An incident of Google Cloud Monitoring. */
export const gcp: Tool = {
  id: 'gcp',
  name: 'Google Cloud',
  fires: (problem) =>
    write(problem, {
      state: 'ongoing',
      color: 'danger',
      reading: 'above the threshold of 0.900 with a value of 0.970',
    }),
  recovers: {
    by: 'message',
    write: (problem) =>
      write(problem, {
        state: 'closed',
        color: 'good',
        reading: 'back to normal: below the threshold of 0.900 with a value of 0.410',
      }),
  },
};

function write(
  { service, symptom, number }: Problem,
  { state, color, reading }: { state: string; color: string; reading: string },
): ToolMessage {
  const id = `0.lxfiw${number}`;
  return {
    app: { app_id: 'A0F77538086', name: 'Google Cloud Monitoring' },
    attachments: [
      {
        color,
        fallback: `Incident ${state}`,
        title: `Incident #${id} is ${state}`,
        title_link: `https://console.cloud.google.com/monitoring/alerting/incidents/${id}?project=shop-prod`,
        text: `CPU utilization for shop-prod ${service} with metric labels {instance_name=${service}} is ${reading}.`,
        fields: [
          { title: 'Policy', value: `${symptom} of ${service}`, short: true },
          { title: 'Condition', value: 'VM Instance - CPU utilization', short: true },
          { title: 'Severity', value: 'Critical', short: true },
        ],
      },
    ],
  };
}
