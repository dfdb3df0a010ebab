import { z } from 'zod';
import { SlackError } from '../errors.ts';
import { showFiles } from '../files/present.ts';
import { publishHome } from '../interact/home.ts';
import { presentHome } from '../interact/home-view.ts';
import { checkedModal, presentView } from '../interact/surface.ts';
import type { OpenView } from '../interact/views.ts';
import { checkHome } from '../validate/check.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { json, type Method, method } from './method.ts';

const VIEW_CHECKS = ['invalid_arguments', 'view_too_large', 'duplicate_external_id'];
const TRIGGER_CHECKS = ['invalid_trigger_id', 'expired_trigger_id', 'exchanged_trigger_id'];

const triggered = z.looseObject({ trigger_id: z.string(), view: json });

const open = method({
  name: 'views.open',
  tokens: ['bot'],
  scopes: [],
  tier: 4,
  checks: [...VIEW_CHECKS, ...TRIGGER_CHECKS],
  unchecked: ['`interactivity_pointer`', 'whether another modal is already open'],
  args: triggered,
  handle: (context, args) => {
    const modal = checkedModal(context, args.view);
    const { user } = context.triggers.exchange(args.trigger_id);
    return { view: presentView(context, context.views.open(user, modal)) };
  },
});

const push = method({
  name: 'views.push',
  tokens: ['bot'],
  scopes: [],
  tier: 4,
  checks: [...VIEW_CHECKS, ...TRIGGER_CHECKS, 'not_found', 'push_limit_reached'],
  unchecked: ['`interactivity_pointer`'],
  args: triggered,
  handle: (context, args) => {
    const modal = checkedModal(context, args.view);
    const { view } = context.triggers.exchange(args.trigger_id);
    const below = view === null ? undefined : context.views.get(view);
    if (!below) throw new SlackError('not_found');
    return { view: presentView(context, context.views.push(below, modal)) };
  },
});

interface Target {
  view_id?: string | undefined;
  external_id?: string | undefined;
}

function target(context: WorkspaceContext, { view_id, external_id }: Target): OpenView {
  if (!view_id && !external_id) {
    const text = 'missing required field: view_id or external_id';
    throw new SlackError('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${text}`] } });
  }
  const view = view_id ? context.views.get(view_id) : context.views.named(external_id ?? '');
  if (!view) throw new SlackError('not_found');
  return view;
}

const update = method({
  name: 'views.update',
  tokens: ['bot'],
  scopes: [],
  tier: 4,
  checks: [...VIEW_CHECKS, 'not_found', 'hash_conflict'],
  unchecked: [],
  args: z.looseObject({
    view_id: z.string().optional(),
    external_id: z.string().optional(),
    hash: z.string().optional(),
    view: json,
  }),
  handle: (context, args) => {
    const modal = checkedModal(context, args.view);
    const view = target(context, args);
    if (args.hash && args.hash !== view.hash) throw new SlackError('hash_conflict');
    return { view: presentView(context, context.views.update(view, modal)) };
  },
});

const publish = method({
  name: 'views.publish',
  tokens: ['bot'],
  scopes: [],
  tier: 4,
  checks: ['invalid_arguments', 'view_too_large', 'not_enabled', 'hash_conflict', 'duplicate_external_id'],
  unchecked: ['whether somebody from another organization may have a Home'],
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

export const viewsMethods: readonly Method[] = [open, push, update, publish];
