import { join } from 'node:path';
import { App } from '@slack/bolt';
import { expect, it, vi } from 'vitest';
import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { viewIds } from '../../../../src/bot/render/view-ids.ts';
import { features } from '../../../../src/bot/slack/features/register.ts';
import { commandNames, eventScopes, shortcutIds } from '../../../../src/bot/slack/ids.ts';
import { filesBelow, projectFile, projectRoot } from '../../../support/files.ts';
import { listenedTo } from '../support/features.ts';
import { listening } from '../support/listening.ts';

const folder = join(projectRoot, 'src/bot/slack/features');

/** What Bolt is asked to listen to, in its own words. */
async function registered() {
  const kinds = ['action', 'view', 'shortcut', 'event', 'command'] as const;
  const spies = Object.fromEntries(kinds.map((kind) => [kind, vi.spyOn(App.prototype, kind)]));
  await listening();
  const of = (kind: (typeof kinds)[number]): unknown[] => spies[kind]?.mock.calls.map(([what]) => what) ?? [];
  const found = {
    actions: of('action').map((what) => constraint(what, 'action_id')),
    views: of('view').map((what) => constraint(what, 'callback_id')),
    shortcuts: of('shortcut').map((what) => constraint(what, 'callback_id')),
    events: of('event'),
    commands: of('command'),
  };
  vi.restoreAllMocks();
  return found;
}

function constraint(what: unknown, name: string): unknown {
  return typeof what === 'object' && what !== null && name in what ? Reflect.get(what, name) : what;
}

/** How many listeners would take each of these names. */
function takers(listeners: unknown[], names: readonly string[]): [string, number][] {
  const takes = (one: unknown, name: string) => (one instanceof RegExp ? one.test(name) : one === name);
  return names.map((name) => [name, listeners.filter((one) => takes(one, name)).length]);
}

const once = (names: readonly string[]): [string, number][] => names.map((name) => [name, 1]);

const eventNames = Object.keys(eventScopes);

it.each([
  ['actions', Object.values(actionIds)],
  ['views', Object.values(viewIds)],
  ['shortcuts', Object.values(shortcutIds)],
  ['events', [...new Set(eventNames.map((name) => name.split('.')[0] ?? ''))]],
  ['commands', commandNames],
] as const)(
  'each of the %s that are declared has exactly one listener, and there is no other',
  async (kind, ids) => {
    const listeners = (await registered())[kind];
    expect(takers(listeners, ids)).toEqual(once(ids));
    expect(listeners).toHaveLength(ids.length);
  },
);

it.each([
  ['actions', actionIds],
  ['views', viewIds],
  ['shortcuts', shortcutIds],
] as const)('the %s are registered under the names that they listen to', async (kind, ids) => {
  const listeners = (await registered())[kind];
  const named = listenedTo(kind).map(
    (name) => Object.entries(ids).find(([key]) => key === name)?.[1] ?? name,
  );
  expect(named.map((id, index) => takers(listeners.slice(index, index + 1), [id])[0])).toEqual(once(named));
});

it('events are registered under their own names', async () => {
  expect((await registered()).events).toEqual(listenedTo('events'));
});

it('every file and folder has features that are registered', () => {
  const sources = filesBelow(folder, (path) => path.endsWith('.ts')).map((path) =>
    projectFile(`src/bot/slack/features/${path}`),
  );
  const declared = sources.flatMap((text) =>
    [...text.matchAll(/^export const (\w+): Feature\b/gmu)].map(([, name]) => name),
  );
  expect(Object.keys(features).sort()).toEqual(declared.sort());
});
