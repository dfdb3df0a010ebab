import { z } from 'zod';
import { checkedModal } from '../interact/modal/check.ts';
import type { OpenView } from '../interact/modal/open-view.ts';
import { presentView } from '../interact/modal/present.ts';
import { SlackError } from '../slack-error.ts';
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

export const viewsMethods: readonly Method[] = [open, push, update];
