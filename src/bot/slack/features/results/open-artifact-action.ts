import type { BlockAction } from '@slack/bolt';
import { z } from 'zod';
import { actionIds } from '../../../render/action-ids.ts';
import { notAllowed } from '../../../render/notices.ts';
import { questionOwner } from '../../../store/artifacts.ts';
import type { Register } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';
import { openEvidence } from '../evidence/open-evidence.ts';

const ButtonAction = z.looseObject({ value: z.string() });
const VALUE = /^(?<index>\d{1,4}):(?<questionId>.+)$/u;

/** A button under an answer: opens what the agent found in the evidence modal. */
export const artifact: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: new RegExp(`^${actionIds.artifact}(?::\\d+)?$`, 'u') },
    async ({ ack, body, action, respond }) => {
      await ack();
      const refusal = await deps.people.refusal(body.user.id);
      if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
      const { index, questionId } =
        VALUE.exec(ButtonAction.safeParse(action).data?.value ?? '')?.groups ?? {};
      const channel = body.channel?.id;
      if (index === undefined || questionId === undefined || channel === undefined) return;
      const place = { owner: questionOwner(questionId), version: 0, index: Number(index), channel };
      await openEvidence(place, body.trigger_id, respond, deps);
    },
  );
};
