import { ask as askAgent } from '../../../asking/ask.ts';
import { notAllowed } from '../../../render/notices.ts';
import { usageAsk } from '../../../render/usage.ts';
import type { Register } from '../deps.ts';
import { tellPerson } from '../tell.ts';
import { causeOf } from './cause.ts';
import { commandPattern } from './pattern.ts';

/** `/ask <question>` asks the agent; the answer starts a thread that goes on. */
export const ask: Register = (app, deps) => {
  app.command(commandPattern('ask'), async ({ ack, command, respond }) => {
    await ack();
    const refusal = await deps.people.refusal(command.user_id);
    if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
    const text = command.text.trim();
    if (text === '') return tellPerson(respond, usageAsk(), deps);
    await askAgent(
      {
        id: causeOf(command),
        channel: command.channel_id,
        threadTs: null,
        asker: command.user_id,
        text,
      },
      { ...deps, ...deps.asking },
    );
    deps.rings.asked();
    deps.rings.outbox();
  });
};
