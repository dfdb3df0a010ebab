import type { Apps } from '../app.ts';
import { onCommand, type Subcommand } from '../commands/command.ts';
import type { ListenerDeps } from '../listening/deps.ts';
import type { Feature } from '../listening/feature.ts';
import { limitPeople } from '../listening/limit.ts';
import { onGumshoeCommand } from './admin/gumshoe-command.ts';
import { admin } from './admin/index.ts';
import { alerts } from './alerts/index.ts';
import { asking } from './asking/index.ts';
import { digest } from './digest/index.ts';
import { evidence } from './evidence/index.ts';
import { held } from './held/index.ts';
import { home } from './home/index.ts';
import { issues } from './issues/index.ts';
import { results } from './results/index.ts';
import { settings } from './settings/index.ts';
import { webhooks } from './webhooks/index.ts';

/** One line per feature, in the order of `/gumshoe help`. */
export const features: Readonly<Record<string, Feature>> = {
  settings,
  digest,
  admin,
  webhooks,
  issues,
  asking,
  alerts,
  evidence,
  held,
  home,
  results,
};

/** Adds the listeners of all features to the apps, what people do behind the rate limit per person. */
export function registerListeners(apps: Apps, deps: ListenerDeps): void {
  limitPeople(apps.interactions, deps);
  const all = Object.values(features);
  onGumshoeCommand(apps.interactions, deps, Object.assign({}, ...all.map(subcommandsOf)));
  for (const feature of all) registerFeature(feature, apps, deps);
}

/** Adds the listeners of one feature to the apps. */
export function registerFeature(
  { commands = {}, actions = {}, views = {}, shortcuts = {}, events = {} }: Feature,
  apps: Apps,
  deps: ListenerDeps,
): void {
  for (const [name, command] of Object.entries(commands)) {
    onCommand(apps.interactions, deps, name, command);
  }
  for (const kind of [actions, views, shortcuts]) {
    for (const register of Object.values(kind)) register(apps.interactions, deps);
  }
  for (const [type, register] of Object.entries(events)) {
    register(type === 'message' ? apps.messages : apps.events, deps);
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
