import type { BlockAction } from '@slack/bolt';
import { z } from 'zod';
import { answerLate as answer } from '../../../asking/ask.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { answeredAlready, questionUnknownHere } from '../../../render/asking/asking-notices.ts';
import { notAllowed } from '../../../render/notices.ts';
import { StoredOutboxKey } from '../../../store/intents/keys.ts';
import { momentOf } from '../../commands/moment-of.ts';
import type { Register } from '../../listening/deps.ts';
import { inThread } from '../../listening/on-issue-action.ts';
import { tellPerson } from '../../listening/tell.ts';

const Action = z.looseObject({ value: StoredOutboxKey });

/** *Answer them*, under the notice about questions that arrived while Gumshoe was down. */
export const answerLate: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionIds.answerLate },
    async ({ ack, body, context, action, respond: say }) => {
      await ack();
      const respond = inThread(say, body.message?.thread_ts);
      const refusal = await deps.people.refusal(body.user.id);
      if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
      const key = Action.safeParse(action).data?.value;
      const line = key === undefined ? null : await deps.store.outbox.get(key);
      // The button is under its own notice; a value that names another one is forged.
      if (key === undefined || line?.kind !== 'aside' || line.channel !== body.channel?.id) {
        return tellPerson(respond, questionUnknownHere(), deps);
      }
      const outcome = await answer(
        key,
        body.user.id,
        { ...deps, ...deps.asking },
        momentOf({ body, context }, deps).ts,
      );
      if (outcome === 'not_now') await tellPerson(respond, answeredAlready(), deps);
    },
  );
};
