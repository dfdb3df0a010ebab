import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { actionIds } from '../../render/action-ids.ts';
import { notSoFast } from '../../render/notices.ts';
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
      deps.log.warn({ user: userId, kind }, 'somebody exceeded the limit per minute');
    const [field] = Object.keys(data.view?.state.values ?? {});
    // At a field of the modal, so that what was typed stays.
    const errors = kind === 'send' && field !== undefined ? { [field]: notSoFast().text } : null;
    if (errors !== null && 'view' in args) await args.ack({ response_action: 'errors', errors });
    else await args.ack();
    const mayTell = allowed === 'over_now' && kind === 'act' && data.response_url !== undefined;
    if (mayTell && 'respond' in args) await tellPerson(args.respond, notSoFast(), deps);
  });
}

function kindOf({ type, actions = [] }: z.infer<typeof Body>): Kind {
  if (type === 'view_submission') return 'send';
  return actions.some((action) => action.action_id === actionIds.typePatterns) ? 'type' : 'act';
}

const MINUTE_MS = 60_000;
/** More people than act within a minute anywhere; beyond, everybody's count starts again. */
const MAX_PEOPLE = 10_000;

/**
 * What one person may do in a minute, by kind:
 * - `act`: commands, buttons, shortcuts. One a second is more than a hand does, and a checklist can be ticked at a stroke.
 * - `send`: a modal sent off, each of which files or changes something for everybody.
 * - `type`: a keystroke in a field that shows what it would match, one delivery each.
 */
const perMinute = { act: 60, send: 20, type: 300 } as const;

export type Kind = keyof typeof perMinute;

/** Whether a person may go on; `over_now` where this is the first that they may not in this minute. */
export type Allowance = (userId: string, kind: Kind) => 'may' | 'over_now' | 'over';

/** Counts by the minute of the clock; no more is remembered than the minute that runs. */
export function createAllowance({ clock }: { clock: Pick<Clock, 'now'> }): Allowance {
  const counts = new Map<string, number>();
  let minute = -1;
  return (userId, kind) => {
    const current = Math.floor(clock.now() / MINUTE_MS);
    if (current !== minute || counts.size >= MAX_PEOPLE) counts.clear();
    minute = current;
    const key = `${kind}:${userId}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= perMinute[kind]) return 'may';
    return count === perMinute[kind] + 1 ? 'over_now' : 'over';
  };
}
