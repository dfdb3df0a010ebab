import type { App } from '@slack/bolt';
import type { Deps } from '../../deps.ts';
import { onCommand, type Subcommand } from '../commands/command.ts';
import type { Feature } from '../listening/feature.ts';
import { limitPeople } from '../listening/limit.ts';
import { keepPeopleInformed } from '../listening/stalls.ts';
import { admin, onGumshoeCommand } from './admin.ts';
import { alerts } from './alerts/index.ts';
import { asking } from './asking/index.ts';
import { channels } from './channels.ts';
import { digest } from './digest.ts';
import { evidence } from './evidence.ts';
import { held } from './held.ts';
import { home } from './home.ts';
import { issues } from './issues/index.ts';
import { plans } from './plan.ts';
import { record } from './record.ts';
import { results } from './results.ts';
import { settings } from './settings.ts';
import { systems } from './systems.ts';
import { trial } from './trial.ts';

/** One line per feature, in the order of `/gumshoe help`. */
export const features: Readonly<Record<string, Feature>> = {
  settings,
  digest,
  record,
  systems,
  trial,
  admin,
  issues,
  asking,
  alerts,
  evidence,
  held,
  plans,
  home,
  results,
  channels,
};

/** Adds the listeners of all features to the app, what people do behind the rate limit per person. */
export function registerListeners(app: App, deps: Deps): void {
  limitPeople(app, deps);
  keepPeopleInformed(app, deps);
  const all = Object.values(features);
  onGumshoeCommand(app, deps, Object.assign({}, ...all.map(subcommandsOf)));
  for (const feature of all) registerFeature(feature, app, deps);
}

function registerFeature(
  { commands = {}, actions = {}, views = {}, shortcuts = {}, events = {} }: Feature,
  app: App,
  deps: Deps,
): void {
  for (const [name, command] of Object.entries(commands)) {
    onCommand(app, deps, name, command);
  }
  for (const kind of [actions, views, shortcuts, events]) {
    for (const register of Object.values(kind)) register(app, deps);
  }
}

/** A feature's subcommands of `/gumshoe`, including its own commands: `/gumshoe issue` does what `/issue` does. */
function subcommandsOf({ subcommands, commands = {} }: Feature): Record<string, Subcommand> {
  const named = Object.entries(commands).map(([name, { run, ...about }]): [string, Subcommand] => [
    name,
    { ...about, run: (call, deps) => run({ ...call, command: `${call.command} ${name}` }, deps) },
  ]);
  return { ...subcommands, ...Object.fromEntries(named) };
}
