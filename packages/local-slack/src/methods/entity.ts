import { z } from 'zod';
import { SlackError } from '../slack-error.ts';
import { readEntity } from '../validate/entity.ts';
import { refusalFor } from '../validate/explain.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { flag, json, type Method, method } from './method.ts';

const Failure = z.looseObject({
  status: z.string().min(1),
  custom_title: z.string().optional(),
  custom_message: z.string().optional(),
});

interface Presented {
  metadata?: unknown;
  user_auth_required?: boolean | undefined;
  user_auth_url?: string | undefined;
  error?: unknown;
}

/** What the flexpane shows from now on. */
function content(args: Presented, ref: string) {
  if (args.error !== undefined) {
    const { data } = Failure.safeParse(args.error);
    if (!data) throw new SlackError('invalid_arguments');
    const { status, custom_title, custom_message } = data;
    return {
      state: 'error' as const,
      status,
      ...(custom_title !== undefined && { title: custom_title }),
      ...(custom_message !== undefined && { message: custom_message }),
    };
  }
  if (args.user_auth_required) {
    return { state: 'sign_in' as const, ...(args.user_auth_url && { url: args.user_auth_url }) };
  }
  const read = readEntity(args.metadata);
  if ('faults' in read) throw refusalFor('invalid_metadata', read.faults, '/metadata');
  if (read.entity.external_ref.id !== ref) throw new SlackError('entity_metadata_does_not_match_trigger');
  return { state: 'shown' as const, entity: read.entity };
}

function present(context: WorkspaceContext, trigger_id: string, args: Presented): object {
  const asked = context.flexpanes.asked(trigger_id);
  if (!asked) throw new SlackError('invalid_trigger_id');
  const shown = content(args, asked.ref);
  context.triggers.exchange(trigger_id);
  context.flexpanes.show({ ...asked, ...shown });
  return {};
}

const presentDetails = method({
  name: 'entity.presentDetails',
  tokens: ['bot'],
  scopes: [],
  tier: 3,
  checks: [
    'invalid_arguments',
    'invalid_metadata',
    'entity_metadata_does_not_match_trigger',
    'invalid_trigger_id',
    'expired_trigger_id',
    'exchanged_trigger_id',
  ],
  unchecked: [
    'whether *Work Object Previews* are switched on (`feature_not_enabled`)',
    'how long a trigger may be used there: three seconds and once, like any other',
    'the values of `error.status`, and its `actions`',
  ],
  args: z.looseObject({
    trigger_id: z.string(),
    metadata: json.optional(),
    user_auth_required: flag.optional(),
    user_auth_url: z.string().optional(),
    error: json.optional(),
  }),
  handle: (context, { trigger_id, ...args }) => {
    if (args.metadata === undefined && args.error === undefined && !args.user_auth_required) {
      throw new SlackError('invalid_arguments');
    }
    return present(context, trigger_id, args);
  },
});

export const entityMethods: readonly Method[] = [presentDetails];
