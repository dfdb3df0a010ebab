import type { Subcommand } from '../../../../src/bot/slack/commands/command.ts';
import { features } from '../../../../src/bot/slack/features/register.ts';
import type { Feature } from '../../../../src/bot/slack/listening/feature.ts';

const all = Object.values(features);

/** The names of everything of a kind that the features listen to; one that two of them name is there twice. */
export function listenedTo(kind: keyof Feature): string[] {
  return all.flatMap((feature) => Object.keys(feature[kind] ?? {}));
}

/** `/gumshoe` belongs to no feature: it takes the subcommands of all of them. */
export const commandsListenedTo = ['gumshoe', ...listenedTo('commands')];

export const subcommands: Readonly<Record<string, Subcommand>> = Object.assign(
  {},
  ...all.flatMap(({ subcommands, commands }) => [subcommands, commands]),
);
