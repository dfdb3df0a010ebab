import type { App } from '@slack/bolt';
import { z } from 'zod';
import { actionIds } from '../../render/action-ids.ts';
import { notSoFast } from '../../render/notices.ts';
import { createAllowance, type Kind } from './allowance.ts';
import type { ListenerDeps } from './deps.ts';
import { tellPerson } from './tell.ts';

/** What Slack says of somebody who wrote a command, pressed, chose or sent something. */
const Body = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  user_id: z.string().optional(),
  user: z.looseObject({ id: z.string() }).optional(),
  response_url: z.string().optional(),
  actions: z.array(z.looseObject({ action_id: z.string() })).optional(),
  view: z.looseObject({ state: z.looseObject({ values: z.record(z.string(), z.unknown()) }) }).optional(),
});

/**
 * Nobody does more in a minute than a person can: what is beyond is acknowledged, refused in words that only they see,
 * and reaches no listener. Events are never counted: alerts come as fast as they come.
 */
export function limitPeople(app: App, deps: Pick<ListenerDeps, 'clock' | 'log' | 'metrics'>): void {
  const allowance = createAllowance(deps);
  app.use(async (args) => {
    const { success, data } = Body.safeParse(args.body);
    const userId = success && data.type !== 'event_callback' ? (data.user?.id ?? data.user_id) : undefined;
    if (!success || userId === undefined || !('ack' in args) || !args.ack) return args.next();
    const kind = kindOf(data);
    const allowed = allowance(userId, kind);
    if (allowed === 'may') return args.next();
    deps.metrics.count('gumshoe_refused_people_total', { reason: 'too_fast' });
    if (allowed === 'over_now')
      deps.log.warn({ user: userId, kind }, 'a person does more than is allowed in a minute');
    const [field] = Object.keys(data.view?.state.values ?? {});
    // At a field of the window, so that what was typed stays.
    const errors = kind === 'send' && field !== undefined ? { [field]: notSoFast().text } : null;
    // Typed for one kind of delivery at a time, and this is for all of them.
    await Reflect.apply(args.ack, undefined, errors === null ? [] : [{ response_action: 'errors', errors }]);
    const mayTell = allowed === 'over_now' && kind === 'act' && data.response_url !== undefined;
    if (mayTell && 'respond' in args) await tellPerson(args.respond, notSoFast(), deps);
  });
}

function kindOf({ type, actions = [] }: z.infer<typeof Body>): Kind {
  if (type === 'view_submission') return 'send';
  return actions.some((action) => action.action_id === actionIds.typePatterns) ? 'type' : 'act';
}
