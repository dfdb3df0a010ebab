import type { BlockAction, RespondFn } from '@slack/bolt';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { issueIdOf } from '../../filing/reference.ts';
import { actionIds } from '../../render/action-ids.ts';
import { moreChoiceOf } from '../../render/issues/more.ts';
import { issueUnknownHere, notAllowed } from '../../render/notices.ts';
import type { Moment } from '../../shared/moment.ts';
import type { Act } from '../../store/acts.ts';
import type { Issue } from '../../store/issues.ts';
import { type IssueAction, isPermitted } from '../access/rights.ts';
import { momentOf } from '../commands/command.ts';
import type { Register } from './feature.ts';
import { notifyPerson } from './notify.ts';

/** A click on one of an issue's buttons, or a choice in its menu. */
export interface IssueActionContext {
  issue: Issue;
  userId: string;
  channel: string;
  triggerId: string;
  /** The id of what the click causes; the same when its stored delivery is handled again. */
  cause: string;
  /** What was chosen in a menu, or which part of the issue a button is about; `null` for the whole issue. */
  choice: string | null;
  moment: Moment;
  respond: RespondFn;
}

const Action = z.looseObject({
  value: z.string().optional(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
});

/** A listener for an issue button. People who may not use it, or whose issue is unknown, are told so. */
export function onIssueAction(
  name: keyof typeof actionIds,
  act: (action: IssueActionContext, deps: Deps) => Promise<void>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, context, respond: answer }) => {
        await ack();
        const userId = body.user.id;
        const respond = inThread(answer, body.message?.thread_ts);
        const refusal = await deps.people.refusal(userId);
        if (refusal) return notifyPerson(respond, notAllowed(refusal), deps);
        const { value, issueId, choice } = parseValue(body.actions[0]);
        const issue = await deps.store.issues.get(issueId);
        const channel = body.channel?.id ?? '';
        if (!issue || !(await isPermitted(actionOf(name, choice), issue, channel, deps))) {
          return notifyPerson(respond, issueUnknownHere(), deps);
        }
        const { trigger_id: triggerId } = body;
        const cause = issueIdOf('press', triggerId, userId, actionIds[name], value);
        const moment = momentOf({ body, context }, deps);
        await act({ issue, userId, channel, triggerId, cause, choice, moment, respond }, deps);
      },
    );
  };
}

/** Responds in the thread that the button is in. */
export function inThread(respond: RespondFn, threadTs: unknown): RespondFn {
  if (typeof threadTs !== 'string') return respond;
  return (message) =>
    respond({ ...(typeof message === 'string' ? { text: message } : message), thread_ts: threadTs });
}

/** A value is the issue's id, or `<choice>:<issue id>`. */
function parseValue(action: unknown): { value: string; issueId: string; choice: string | null } {
  const { success, data } = Action.safeParse(action);
  const value = (success ? (data.selected_option?.value ?? data.value) : undefined) ?? '';
  const colon = value.indexOf(':');
  return { value, issueId: value.slice(colon + 1), choice: colon < 0 ? null : value.slice(0, colon) };
}

/** The action of a click; a menu's is what was chosen in it. */
function actionOf(name: keyof typeof actionIds, choice: string | null): IssueAction {
  return name === 'more' ? (moreChoiceOf(choice) ?? name) : name;
}

/**
 * Records a status change as the newest, or returns the later one that was handled before it: then this one is out of
 * order, which is added to the issue's history, and must not be carried out.
 *
 * @param issueId our id of the issue; `null` for one that was filed elsewhere
 */
export function takeInOrder(
  { uuid, issueId, ...act }: Omit<Act, 'subject'> & { uuid: string; issueId: string | null },
  { store, clock }: Deps,
): Promise<Act | null> {
  return store.transaction(async (tx) => {
    const at = clock.now();
    const later = await tx.acts.take({ ...act, subject: `issue:${uuid}` }, at);
    if (later !== null && issueId !== null) {
      const what = `${act.what} before that; it arrived too late and changed nothing`;
      await tx.audit.add({ at, who: act.who, what, issueId });
    }
    return later;
  });
}
