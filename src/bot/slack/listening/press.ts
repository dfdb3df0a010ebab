import type { BlockAction, RespondFn, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { issueIdOf } from '../../filing/reference.ts';
import { actionIds } from '../../render/action-ids.ts';
import { sentenceModal } from '../../render/modal.ts';
import { notAllowed, windowIsStale } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { viewIds } from '../../render/view-ids.ts';
import type { Moment } from '../../shared/moment.ts';
import { momentOf } from '../commands/command.ts';
import type { Register } from './feature.ts';
import { notifyPerson } from './notify.ts';

/** A button was pressed, or something chosen in a menu, by somebody who may. */
export interface Press {
  userId: string;
  /** The channel of the message; empty in a modal and on the Home. */
  channel: string;
  /** The button's value, or that of what was chosen; empty without one. It went through Slack, so it is untrusted. */
  value: string;
  triggerId: string;
  /** The id of what the press causes; the same when its stored delivery is handled again. */
  cause: string;
  moment: Moment;
  respond: RespondFn;
  body: BlockAction;
}

const Action = z.looseObject({
  value: z.string().optional(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
});

/** What to tell the person instead; `null` if they may. */
type May<T> = (userId: string, about: T, deps: Deps) => Promise<Rendered | null>;

/** For what asks by itself who may. */
export async function anybody(): Promise<null> {
  return null;
}

/** Members of the workspace who are no guests. */
async function mayUse(userId: string, _about: unknown, deps: Deps): Promise<Rendered | null> {
  const refusal = await deps.people.refusal(userId);
  return refusal === null ? null : notAllowed(refusal);
}

/**
 * A listener for a button or a menu. Acknowledges it, and tells those who may not use it.
 *
 * @example
 * const fileAll = onButton('fileAll', async ({ value, userId }, deps) =>
 *   (await fileHeld(value, userId, deps)) ? null : nothingWaits());
 *
 * @param run returns what to tell the person alone; nothing if what they see suffices
 * @param options.inThread whether a reply belongs in the thread of the button's message
 * @param options.refused how to answer somebody who may not; by default, with a reply
 * @param options.may by default, whether somebody may use Gumshoe at all
 */
export function onButton(
  name: keyof typeof actionIds,
  run: (press: Press, deps: Deps) => Promise<Rendered | null | undefined>,
  options: {
    inThread?: boolean;
    may?: May<Press>;
    refused?: (press: Press, deps: Deps) => Promise<void>;
    actionId?: RegExp;
  } = {},
): Register {
  const { inThread: isInThread = false, may = mayUse, refused, actionId = actionIds[name] } = options;
  return (app, deps) => {
    app.action<BlockAction>({ type: 'block_actions', action_id: actionId }, async (args) => {
      const { ack, body, context } = args;
      await ack();
      const userId = body.user.id;
      const respond = isInThread ? inThread(args.respond, body.message?.thread_ts) : args.respond;
      const { data } = Action.safeParse(body.actions[0]);
      const value = data?.selected_option?.value ?? data?.value ?? '';
      const { trigger_id: triggerId } = body;
      const cause = issueIdOf('press', triggerId, userId, actionIds[name], value);
      const moment = momentOf({ body, context }, deps);
      const channel = body.channel?.id ?? '';
      const press = { userId, channel, value, triggerId, cause, moment, respond, body };
      const mayNot = await may(userId, press, deps);
      if (mayNot !== null && refused !== undefined) return refused(press, deps);
      const reply = mayNot ?? (await run(press, deps));
      if (reply) await notifyPerson(respond, reply, deps);
    });
  };
}

function inThread(respond: RespondFn, threadTs: unknown): RespondFn {
  if (typeof threadTs !== 'string') return respond;
  return (message) =>
    respond({ ...(typeof message === 'string' ? { text: message } : message), thread_ts: threadTs });
}

/** A modal was submitted by somebody who may. */
export interface Submission<T> {
  userId: string;
  viewId: string;
  /** What was stored in the modal when it was opened. */
  about: T;
  /** `view.state.values`. */
  values: unknown;
  /** Shows a view in place of the modal at once, for what takes longer than Slack waits. */
  show: (view: ModalView) => Promise<void>;
}

/**
 * What becomes of a submitted modal: it closes (nothing), becomes another view or a sentence, or stays open with errors at
 * its fields. `later` is done once it is acknowledged.
 */
export type Submitted =
  | { view?: ModalView; later?: () => Promise<void> }
  | { sentence: Rendered }
  | { errors: Readonly<Record<string, string>> }
  | undefined;

/**
 * A listener for a submitted modal. Refuses who may not, and a state that cannot be read.
 *
 * @example
 * const confirm = onSubmit('unwatch', { read: (text) => text, may: settingsRefused }, async ({ about, userId }, deps) => {
 *   await stopWatching(about, userId, deps);
 * });
 *
 * @param options.read reads the modal's own state, which went through Slack; `null` if it is not ours, or no longer
 * @param options.field the field at which a refusal is shown, so that what was typed stays; else it replaces the modal
 */
export function onSubmit<T>(
  name: keyof typeof viewIds,
  options: { read: (state: string) => T | null; may?: May<T>; field?: string },
  run: (submission: Submission<T>, deps: Deps) => Promise<Submitted>,
): Register {
  const { read, may = mayUse, field } = options;
  return (app, deps) => {
    app.view<ViewSubmitAction>(
      { type: 'view_submission', callback_id: viewIds[name] },
      async ({ ack, body, view }) => {
        const refuse = (why: Rendered) =>
          field === undefined
            ? ack({ response_action: 'update', view: sentenceModal(why) })
            : ack({ response_action: 'errors', errors: { [field]: why.text } });
        const userId = body.user.id;
        const about = read(view.private_metadata);
        if (about === null) return refuse((await mayUse(userId, about, deps)) ?? windowIsStale());
        const mayNot = await may(userId, about, deps);
        if (mayNot !== null) return refuse(mayNot);
        let isShown = false;
        const show = async (next: ModalView) => {
          isShown = true;
          await ack({ response_action: 'update', view: next });
        };
        const { values } = view.state;
        const outcome = (await run({ userId, viewId: view.id, about, values, show }, deps)) ?? {};
        if ('errors' in outcome) return ack({ response_action: 'errors', errors: { ...outcome.errors } });
        if ('sentence' in outcome) return show(sentenceModal(outcome.sentence));
        if (outcome.view !== undefined) await show(outcome.view);
        else if (!isShown) await ack();
        await outcome.later?.();
      },
    );
  };
}
