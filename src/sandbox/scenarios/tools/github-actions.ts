import type { Tool } from './tool.ts';

/** A run that failed, by the action notify-slack. A later run that passes does not close it. */
export const githubActions: Tool = {
  id: 'github-actions',
  name: 'GitHub Actions',
  fires: ({ service, number }) => {
    const repository = `https://github.com/shop/${service}`;
    return {
      username: 'GitHub Actions',
      attachments: [
        {
          color: 'danger',
          fallback: 'New Github Action Run',
          pretext: 'New Github Action Run',
          text: `:x: *Deploy production* failed in <${repository}|shop/${service}@refs/heads/release-${number}> on <${repository}/commit/4be1f2c9|4be1f2c>`,
          mrkdwn_in: ['text'],
          footer: `<${repository}/actions/runs/11${number}|View Run> | Developed by <https://www.ravsam.in|RavSam>`,
        },
      ],
    };
  },
  recovers: null,
};
