import { z } from 'zod';
import { showFiles } from '../files/in-blocks.ts';
import { presentHome } from '../interact/home/present.ts';
import { publishHome } from '../interact/home/publish.ts';
import { SlackError } from '../slack-error.ts';
import { checkHome } from '../validate/home.ts';
import { json, type Method, method } from './method.ts';

const publish = method({
  name: 'views.publish',
  tokens: ['bot'],
  scopes: [],
  tier: 4,
  checks: ['invalid_arguments', 'view_too_large', 'not_enabled', 'hash_conflict', 'duplicate_external_id'],
  unchecked: ['whether somebody from another organisation may have a Home'],
  args: z.looseObject({ user_id: z.string(), view: json, hash: z.string().optional() }),
  handle: (context, { user_id, view, hash }) => {
    const home = checkHome(view);
    showFiles(context, home.blocks, '/view/blocks', 'invalid_arguments');
    const person = context.store.users.get(user_id);
    if (!person || person.is_bot) {
      throw new SlackError('invalid_arguments', { response_metadata: { messages: ['invalid `user_id`'] } });
    }
    if (!context.manifest.home) throw new SlackError('not_enabled');
    return { view: presentHome(context, publishHome(context, { user: person.id, home, hash })) };
  },
});

export const viewsPublishMethods: readonly Method[] = [publish];
