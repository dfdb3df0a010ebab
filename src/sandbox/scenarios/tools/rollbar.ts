import type { Tool } from './tool.ts';

/** A deploy, which is no alert: to see that Gumshoe leaves it alone. */
export const rollbar: Tool = {
  id: 'rollbar',
  name: 'Rollbar (a deploy, no alert)',
  fires: ({ service, number }) => ({
    app: { app_id: 'A03FCD06E74', name: 'Rollbar' },
    text: `[${service}] dreyes deployed revision 4be1f2c to production <https://rollbar.com/deploy/${number}/>`,
  }),
  recovers: null,
};
