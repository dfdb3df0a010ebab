import type { App, SlashCommand } from '@slack/bolt';
import { nearest } from '../../../../lib/nearest.ts';
import { gumshoeHelp, lacksScopes, unknownSubcommand } from '../../../render/issues/steering-notices.ts';
import { notAllowed } from '../../../render/notices.ts';
import type { SetupSteps } from '../../../render/setup/setup.ts';
import { missingScopes } from '../../access/channel-access.ts';
import { type CommandCall, commandCall, commandPattern, type Subcommand } from '../../commands/command.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';
import { showSettings } from '../settings/show-settings.ts';
import { setupSteps } from '../setup/setup-steps.ts';

const HELP = 'help';

type Subcommands = Readonly<Record<string, Subcommand>>;

/** `/gumshoe [subcommand]`: this channel's settings, and every subcommand without a command of its own. */
export function onGumshoeCommand(app: App, deps: ListenerDeps, subcommands: Subcommands): void {
  app.command(commandPattern('gumshoe'), async ({ ack, ...rest }) => {
    await ack();
    const call = commandCall(rest, deps);
    const { userId, respond } = call;
    try {
      const refusal = await deps.people.refusal(userId);
      if (refusal) return await tellPerson(respond, notAllowed(refusal), deps);
      const words = call.words.replace(/^\S+\s*/u, '');
      await route(rest.command, { ...call, words }, subcommands, deps);
    } catch (error) {
      const scopes = missingScopes(error);
      if (scopes === null) throw error;
      await tellPerson(respond, lacksScopes(scopes), deps);
    }
  });
}

async function route(
  { command, text }: SlashCommand,
  call: CommandCall,
  subcommands: Subcommands,
  deps: ListenerDeps,
): Promise<void> {
  const typed = text.trim().split(/\s+/u)[0]?.toLowerCase() ?? '';
  if (typed === '') return showSettings(call, deps);
  if (typed === HELP)
    return tellPerson(call.respond, help(command, subcommands, await setupSteps(deps)), deps);
  const wanted = Object.hasOwn(subcommands, typed) ? subcommands[typed] : undefined;
  if (wanted) return wanted.run(call, deps);
  const known = nearest(typed, [...Object.keys(subcommands), HELP]);
  const example = known === null ? null : (subcommands[known]?.example ?? known);
  await tellPerson(call.respond, unknownSubcommand(command, typed, example), deps);
}

function help(command: string, subcommands: Subcommands, setup: SetupSteps | null) {
  const entries = Object.values(subcommands).map(({ example, does }) => ({ usage: example, does }));
  return gumshoeHelp(command, [{ usage: '', does: 'shows this channel’s settings' }, ...entries], setup);
}
