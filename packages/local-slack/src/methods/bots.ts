import { z } from 'zod';
import { SlackError } from '../slack-error.ts';
import { type Method, method } from './method.ts';

const info = method({
  name: 'bots.info',
  tokens: ['bot'],
  scopes: ['users:read'],
  tier: 3,
  checks: ['bot_not_found'],
  unchecked: ['bots of other apps'],
  args: z.looseObject({ bot: z.string().optional() }),
  handle: ({ app, pageUrl }, args) => {
    if ((args.bot ?? app.bot_id) !== app.bot_id) throw new SlackError('bot_not_found');
    return {
      bot: {
        id: app.bot_id,
        deleted: false,
        name: app.name,
        updated: 0,
        app_id: app.id,
        user_id: app.bot_user_id,
        icons: { image_48: `${pageUrl}icon.svg` },
      },
    };
  },
});

export const botsMethods: readonly Method[] = [info];
