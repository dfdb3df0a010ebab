import { hostOf } from './problem.ts';
import type { Tool } from './tool.ts';

/** A sync that failed. Argo CD tells of the next that succeeds, but not that this one is over. */
export const argocd: Tool = {
  id: 'argocd',
  name: 'Argo CD',
  fires: (problem, now) => {
    const { service } = problem;
    const app = `${hostOf(problem)}-prod`;
    const page = `https://argocd.shop.example/applications/${app}`;
    return {
      app: { app_id: 'A00C750E483', name: 'Argo CD' },
      text: `:exclamation:  The sync operation of application ${app} has failed at ${new Date(now).toISOString().slice(0, 19)}Z with the following error: one or more objects failed to apply, reason: Deployment.apps "${service}" is invalid: spec.template.spec.containers[0].image: Required value\nSync operation details are available at: <${page}?operation=true> .`,
      attachments: [
        {
          color: '#E96D76',
          title: app,
          title_link: page,
          fields: [
            { title: 'Sync Status', value: 'OutOfSync', short: true },
            {
              title: 'Repository',
              value: ':arrow_heading_up: <https://github.com/shop/deploy.git>',
              short: true,
            },
            {
              title: 'SyncError',
              value: 'Failed sync attempt to 4be1f2c: one or more objects failed to apply',
              short: true,
            },
          ],
        },
      ],
    };
  },
  recovers: null,
};
