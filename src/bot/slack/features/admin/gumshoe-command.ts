import type { SlashCommand } from '@slack/bolt';
import { nearest } from '../../../../lib/nearest.ts';
import { gumshoeHelp, lacksScopes, unknownSubcommand } from '../../../render/issues/steering-notices.ts';
import { notAllowed } from '../../../render/notices.ts';
import { missingScopes } from '../../access/channel-access.ts';
import { causeOf } from '../../listening/cause.ts';
import { commandPattern } from '../../listening/command-pattern.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { momentOf } from '../../listening/moment-of.ts';
import type { Asked } from '../../listening/subcommand.ts';
import { tellPerson } from '../../listening/tell.ts';
import { show } from '../settings/show-subcommand.ts';
import { subcommands } from '../subcommands.ts';

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
