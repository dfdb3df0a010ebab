import type { SlashCommand } from '@slack/bolt';
import { nearest } from '../../../lib/nearest.ts';
import { notAllowed } from '../../../render/notices.ts';
import { gumshoeHelp, lacksScopes, unknownSubcommand } from '../../../render/steering-notices.ts';
import { missingScopes } from '../../channel-access.ts';
import type { ListenerDeps, Register } from '../deps.ts';
import { momentOf } from '../moment-of.ts';
import { tellPerson } from '../tell.ts';
import { causeOf } from './cause.ts';
import { subcommands } from './gumshoe/index.ts';
import { show } from './gumshoe/show.ts';
import type { Asked } from './gumshoe/subcommand.ts';
import { commandPattern } from './pattern.ts';

const HELP = 'help';

/** `/gumshoe [subcommand]`: this channel's settings, and everything that has no command of its own. */
export const gumshoe: Register = (app, deps) => {
  app.command(commandPattern('gumshoe'), async ({ ack, body, command, context, respond }) => {
    await ack();
    const asked: Asked = {
      command: command.command,
      words: command.text.trim().replace(/^\S+\s*/u, ''),
      channel: command.channel_id,
      userId: command.user_id,
      triggerId: command.trigger_id,
      cause: causeOf(command),
      moment: momentOf({ body, context }, deps),
      respond,
    };
    try {
      const refusal = await deps.people.refusal(command.user_id);
      if (refusal) return await tellPerson(respond, notAllowed(refusal), deps);
      await route(command, asked, deps);
    } catch (error) {
      const scopes = missingScopes(error);
      if (scopes === null) throw error;
      await tellPerson(respond, lacksScopes(scopes), deps);
    }
  });
};

async function route({ command, text }: SlashCommand, asked: Asked, deps: ListenerDeps): Promise<void> {
  const typed = text.trim().split(/\s+/u)[0]?.toLowerCase() ?? '';
  if (typed === '') return show(asked, deps);
  if (typed === HELP) return tellPerson(asked.respond, help(command), deps);
  const wanted = Object.hasOwn(subcommands, typed) ? subcommands[typed] : undefined;
  if (wanted) return wanted.run(asked, deps);
  const known = nearest(typed, [...Object.keys(subcommands), HELP]);
  const example = known === null ? null : (subcommands[known]?.example ?? known);
  await tellPerson(asked.respond, unknownSubcommand(command, typed, example), deps);
}

function help(command: string) {
  const entries = Object.values(subcommands).map(({ example, does }) => ({ usage: example, does }));
  return gumshoeHelp(command, [{ usage: '', does: 'shows this channel’s settings' }, ...entries]);
}
