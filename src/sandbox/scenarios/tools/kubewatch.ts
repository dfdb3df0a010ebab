import type { Tool } from './tool.ts';

/** A pod that crashes. Kubewatch tells of events, never that something is over. */
export const kubewatch: Tool = {
  id: 'kubewatch',
  name: 'kubewatch',
  fires: ({ service, number }) => ({
    app: { app_id: 'A0B24880FE3', name: 'kubewatch' },
    attachments: [
      {
        color: 'warning',
        mrkdwn_in: ['fields'],
        fields: [
          {
            title: 'kubewatch',
            value: `Pod \`${service}-7d4b9c6f8d-xkzqp\` in \`shop-${number}\` Crashed : \nCrashLoopBackOff back-off 5m0s`,
            short: false,
          },
        ],
      },
    ],
  }),
  recovers: null,
};
