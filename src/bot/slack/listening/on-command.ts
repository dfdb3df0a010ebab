import type { App } from '@slack/bolt';
import { notAllowed } from '../../render/notices.ts';
import { causeOf } from './cause.ts';
import { commandPattern } from './command-pattern.ts';
import type { ListenerDeps } from './deps.ts';
import { momentOf } from './moment-of.ts';
import type { Asked } from './subcommand.ts';
import { tellPerson } from './tell.ts';

/** Listens to a command of its own; who may not use Gumshoe is told so. */
export function onCommand(
  app: App,
  deps: ListenerDeps,
  name: string,
  run: (asked: Asked, deps: ListenerDeps) => Promise<void>,
): void {
  app.command(commandPattern(name), async ({ ack, body, command, context, respond }) => {
    await ack();
    const refusal = await deps.people.refusal(command.user_id);
    if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
    const asked: Asked = {
      command: command.command,
      words: command.text.trim(),
      channel: command.channel_id,
      userId: command.user_id,
      triggerId: command.trigger_id,
      cause: causeOf(command),
      moment: momentOf({ body, context }, deps),
      respond,
    };
    await run(asked, deps);
  });
}
