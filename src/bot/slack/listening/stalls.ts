import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { actionIds } from '../../render/action-ids.ts';
import { sentenceModal } from '../../render/modal.ts';
import { gaveUpWaiting, keptForLater, slackIsDown } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { isPassing } from '../errors.ts';
import { filingReactions } from '../ids.ts';

const HOUR_MS = 60 * 60_000;
/** After so many hours nobody expects an answer any more. */
const MOST_HOURS = 6;
const MOST_REMEMBERED = 5_000;

const Context = z.object({
  receivedAt: z.number().optional(),
  isAcknowledged: z.function({ input: [], output: z.boolean() }),
});

/** The parts of a delivery that say who waits, and where they can be answered. */
const Body = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  actions: z.array(z.looseObject({ action_id: z.string() })).optional(),
  view: z
    .looseObject({
      id: z.string(),
      type: z.string(),
      state: z.looseObject({ values: z.record(z.string(), z.unknown()) }).optional(),
    })
    .nullish(),
  event: z
    .looseObject({
      type: z.string(),
      user: z.string().optional(),
      channel: z.string().optional(),
      channel_type: z.string().optional(),
      ts: z.string().optional(),
      thread_ts: z.string().optional(),
      reaction: z.string().optional(),
      item: z.looseObject({ channel: z.string(), ts: z.string() }).optional().catch(undefined),
    })
    .optional(),
});
type Body = z.infer<typeof Body>;
type Args = Parameters<Parameters<App['use']>[0]>[0];

/**
 * While Slack does not answer what has to be asked first (who somebody is, whether they are in a channel), a person
 * is told so at once, and what they asked for is kept: the inbox tries it again until Slack is well. What was sent from a
 * modal, which stays open with what was typed, is refused instead, and so is everything else after six hours.
 */
export function keepPeopleInformed(app: App, deps: Deps): void {
  const informed = new Set<string>();

  /** @returns whether they have been notified, now or before */
  async function inform(key: string, say: () => Promise<unknown>): Promise<boolean> {
    if (informed.has(key)) return true;
    try {
      await say();
    } catch (error) {
      deps.log.warn({ err: error }, 'could not inform somebody that Slack does not answer');
      return false;
    }
    if (informed.size >= MOST_REMEMBERED) informed.clear();
    informed.add(key);
    return true;
  }

  app.use(async (args) => {
    try {
      await args.next();
    } catch (error) {
      const body = Body.safeParse(args.body).data;
      const context = Context.safeParse(args.context).data;
      if (!isPassing(error) || body === undefined || context === undefined) throw error;
      const inModal = refusalInModal(body, context.isAcknowledged(), args, deps);
      if (inModal !== null) {
        if (await inform(`refused ${body.trigger_id}`, inModal)) return;
        throw error;
      }
      const reply = replyTo(body, args, deps);
      if (reply === null) throw error;
      const { receivedAt = deps.clock.now() } = context;
      // Arrivals differ, and tries of one do not.
      const key = `${receivedAt}`;
      if (deps.clock.now() - receivedAt < MOST_HOURS * HOUR_MS) {
        await inform(key, () => reply(keptForLater()));
        throw error;
      }
      // Nothing is given up without a word.
      if (!(await inform(`gave up ${key}`, () => reply(gaveUpWaiting(MOST_HOURS))))) throw error;
      deps.log.warn({ err: error }, 'gave up a request: Slack did not answer for hours');
    }
  });
}

/** How to refuse something in a modal, or with one; `null` if it was not done in one. */
function refusalInModal(
  body: Body,
  isAcknowledged: boolean,
  args: Args,
  { client }: Deps,
): (() => Promise<unknown>) | null {
  const { type, view, trigger_id: triggerId, response_url: url, actions = [] } = body;
  const modal = sentenceModal(slackIsDown());
  if (type === 'view_submission') {
    if (isAcknowledged || !('ack' in args) || !('view' in args)) return null;
    const { ack } = args;
    const [field] = Object.keys(view?.state?.values ?? {});
    // An error at a field keeps the modal open with what was typed.
    return field === undefined
      ? () => ack({ response_action: 'update', view: modal })
      : () => ack({ response_action: 'errors', errors: { [field]: slackIsDown().text } });
  }
  if (url !== undefined || (type !== 'block_actions' && type !== 'shortcut')) return null;
  if (actions.some((action) => action.action_id === actionIds.typePatterns)) return async () => undefined;
  if (view?.type === 'modal') return () => client.views.update({ view_id: view.id, view: modal });
  return triggerId === undefined ? null : () => client.views.open({ trigger_id: triggerId, view: modal });
}

/** How to reply privately to the person who asked for something; `null` if nobody waits for a reply. */
function replyTo(body: Body, args: Args, { client }: Deps): ((what: Rendered) => Promise<unknown>) | null {
  if ('respond' in args && args.respond !== undefined && body.response_url !== undefined) {
    const { respond } = args;
    return ({ text, blocks }) =>
      respond({ text, blocks, response_type: 'ephemeral', replace_original: false });
  }
  const { event } = body;
  if (event?.user === undefined) return null;
  const { user } = event;
  const place =
    event.type === 'reaction_added' && filingReactions.has(event.reaction ?? '')
      ? event.item
      : event.type === 'app_mention' || (event.type === 'message' && event.channel_type === 'im')
        ? event
        : undefined;
  const channel = place?.channel;
  if (channel === undefined) return null;
  const thread = event.thread_ts === undefined ? {} : { thread_ts: event.thread_ts };
  return ({ text, blocks }) => client.chat.postEphemeral({ channel, user, text, blocks, ...thread });
}
