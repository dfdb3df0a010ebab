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

/** A button under an answer was pressed by somebody allowed to. */
interface QuestionActionContext extends OurQuestion {
  userId: string;
  /** Identifies the press; the same if its stored delivery is retried. */
  cause: string;
  moment: Moment;
}

const Action = z.looseObject({ value: z.string() });

/**
 * A listener for one of the buttons under an answer, which only work where that answer is.
 *
 * @param act returns what to tell the person privately (that the press came too late), or `null` if what they see says
 *   it all
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
