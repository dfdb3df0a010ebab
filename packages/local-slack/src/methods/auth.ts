import { z } from 'zod';
import { type Method, method } from './method.ts';

const test = method({
  name: 'auth.test',
  tokens: ['bot', 'app'],
  scopes: [],
  tier: 4,
  checks: [],
  unchecked: [],
  args: z.looseObject({}),
  handle: ({ app, team, pageUrl }, _, token) =>
    token === 'app'
      ? { app_name: app.name, app_id: app.id }
      : {
          url: pageUrl,
          team: team.name,
          user: app.name.toLowerCase(),
          team_id: team.id,
          user_id: app.bot_user_id,
          bot_id: app.bot_id,
          is_enterprise_install: false,
        },
});

export const authMethods: readonly Method[] = [test];
