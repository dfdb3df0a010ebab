import type { BlockAction, RespondFn } from '@slack/bolt';
import { actionIds } from '../../../render/action-ids.ts';
import { issueUnknownHere, notAllowed } from '../../../render/notices.ts';
import type { Issue } from '../../../store/issues.ts';
import type { ListenerDeps, Register } from '../deps.ts';
import { tellPerson } from '../tell.ts';

/** Somebody pressed a button of an issue's. */
export interface Pressed {
  issue: Issue;
  userId: string;
  channel: string;
  respond: RespondFn;
}

/** A listener for one of the issue buttons: who may not is told so, an unknown issue too. */
export function onIssueButton(
  name: keyof typeof actionIds,
  act: (pressed: Pressed, deps: ListenerDeps) => Promise<void>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, respond }) => {
        await ack();
        const userId = body.user.id;
        const refusal = await deps.people.refusal(userId);
        if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
        const [pressed] = body.actions;
        const value = pressed && 'value' in pressed ? pressed.value : undefined;
        const issue = typeof value === 'string' ? await deps.store.issues.get(value) : null;
        if (!issue) return tellPerson(respond, issueUnknownHere(), deps);
        await act({ issue, userId, channel: body.channel?.id ?? issue.channel, respond }, deps);
      },
    );
  };
}
