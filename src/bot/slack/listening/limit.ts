import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Deps } from '../../deps.ts';
import { actionIds } from '../../render/action-ids.ts';
import { rateLimited } from '../../render/notices.ts';
import { countInMemory } from '../../shared/count-in-memory.ts';
import type { Replicas } from '../../store/dialects/postgres-replicas.ts';
import { notifyPerson } from './notify.ts';

/** The parts of a command or an interaction that the limit needs. */
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
 * Rate-limits what people do: what exceeds the limit is acknowledged and refused in an ephemeral message, and reaches no
 * listener. Events are never counted: alerts arrive as fast as they arrive.
 */
export function limitPeople(app: App, deps: Deps): void {
  const allowance = createAllowance({ clock: deps.clock, replicas: deps.store.replicas });
  app.use(async (args) => {
    if ('event' in args) return args.next();
    const { success, data } = Body.safeParse(args.body);
    const userId = data?.user?.id ?? data?.user_id;
    if (!success || userId === undefined || !('ack' in args) || !args.ack) return args.next();
    const kind = kindOf(data);
    const allowed = await allowance(userId, kind);
    if (allowed === 'may') return args.next();
    deps.metrics.count('gumshoe_refused_people_total', { reason: 'too_fast' });
    if (allowed === 'over_now')
      deps.log.warn({ user: userId, kind }, 'somebody exceeded the limit per minute');
    const [field] = Object.keys(data.view?.state.values ?? {});
    // As an error at a field, which keeps the modal open with what was typed.
    const errors = kind === 'send' && field !== undefined ? { [field]: rateLimited().text } : null;
    if (errors !== null && 'view' in args) await args.ack({ response_action: 'errors', errors });
    else await args.ack();
    const mayName = allowed === 'over_now' && kind === 'act' && data.response_url !== undefined;
    if (mayName && 'respond' in args) await notifyPerson(args.respond, rateLimited(), deps);
  });
}

function kindOf({ type, actions = [] }: z.infer<typeof Body>): Kind {
  if (type === 'view_submission') return 'send';
  return actions.some((action) => action.action_id === actionIds.typePatterns) ? 'type' : 'act';
}

/**
 * What one person may do in a minute, by kind:
 * - `act`: commands, buttons, shortcuts. One a second is faster than people click, and leaves room to tick a checklist.
 * - `send`: submitted modals, each of which files or changes something for everybody.
 * - `type`: keystrokes in a field with a live preview of its matches, one delivery each.
 */
const perMinute = { act: 60, send: 20, type: 300 } as const;

type Kind = keyof typeof perMinute;

/** Whether a person is within the limit; `over_now` for the first action beyond it in this minute. */
export type Allowance = (userId: string, kind: Kind) => Promise<'may' | 'over_now' | 'over'>;

/** Counts by the minute, over all replicas if there are several. */
export function createAllowance({
  clock,
  replicas,
}: {
  clock: Pick<Clock, 'now'>;
  replicas: Pick<Replicas, 'count'> | null;
}): Allowance {
  const count = replicas?.count ?? countInMemory(clock);
  return async (userId, kind) => {
    const done = await count(`${kind}:${userId}`);
    if (done <= perMinute[kind]) return 'may';
    return done === perMinute[kind] + 1 ? 'over_now' : 'over';
  };
}
