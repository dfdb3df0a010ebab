import type { BlockAction } from '@slack/bolt';
import { z } from 'zod';
import type { Moment } from '../../../../lib/moment.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { questionUnknownHere } from '../../../render/asking/asking-notices.ts';
import { notAllowed } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { type OurQuestion, ourQuestion } from '../../access/question-access.ts';
import { momentOf } from '../../commands/moment-of.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { inThread } from '../../listening/on-issue-action.ts';
import { tellPerson } from '../../listening/tell.ts';

/** Somebody who may pressed a button under an answer. */
interface QuestionActionContext extends OurQuestion {
  userId: string;
  /** What this press is known by: the same when the stored delivery is taken up again. */
  cause: string;
  moment: Moment;
}

const Action = z.looseObject({ value: z.string() });

/**
 * A listener for one of the buttons under an answer, which count where that answer stands.
 *
 * @param act answers what the person is told privately: that they come too late; `null` where what they see says it all
 */
export function onQuestionAction(
  name: keyof typeof actionIds,
  act: (context: QuestionActionContext, deps: ListenerDeps) => Promise<Rendered | null>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, context, action, respond: answer }) => {
        await ack();
        const respond = inThread(answer, body.message?.thread_ts);
        const userId = body.user.id;
        const refusal = await deps.people.refusal(userId);
        if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
        const { value = '' } = Action.safeParse(action).data ?? {};
        const found = await ourQuestion(value, body.channel?.id ?? '', deps);
        if (found === null) return tellPerson(respond, questionUnknownHere(), deps);
        const tooLate = await act(
          { ...found, userId, cause: body.trigger_id, moment: momentOf({ body, context }, deps) },
          deps,
        );
        if (tooLate !== null) await tellPerson(respond, tooLate, deps);
      },
    );
  };
}
