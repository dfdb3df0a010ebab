import { z } from 'zod';
import { SlackError } from '../slack-error.ts';
import { type Method, method } from './method.ts';

const info = method({
  name: 'team.info',
  tokens: ['bot'],
  scopes: ['team:read'],
  tier: 3,
  checks: ['team_not_found'],
  unchecked: ['`domain`, to look for another team'],
  args: z.looseObject({ team: z.string().optional() }),
  handle: ({ team, pageUrl }, args) => {
    if ((args.team ?? team.id) !== team.id) throw new SlackError('team_not_found');
    return { team: { ...team, url: pageUrl, email_domain: '', icon: { image_default: true } } };
  },
});

export const teamMethods: readonly Method[] = [info];
