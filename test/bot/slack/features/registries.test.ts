import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { viewIds } from '../../../../src/bot/render/view-ids.ts';
import { actions } from '../../../../src/bot/slack/features/actions.ts';
import { assistant } from '../../../../src/bot/slack/features/assistant.ts';
import { commands } from '../../../../src/bot/slack/features/commands.ts';
import { events } from '../../../../src/bot/slack/features/events.ts';
import { shortcuts } from '../../../../src/bot/slack/features/shortcuts.ts';
import { views } from '../../../../src/bot/slack/features/views.ts';
import type { Register } from '../../../../src/bot/slack/listening/deps.ts';
import { filesBelow, projectFile, projectRoot } from '../../../support/files.ts';

const folder = 'src/bot/slack/listening';

/** A listener in a source text: something exported that is a `Register`, by its type or by who makes it. */
const LISTENER = /^export const (\w+)(?:: Register =| = on(?:Issue|Hold|Home|Question)Button\()/gmu;

/** Every listener that a folder's files export, as `file name`. */
function exported(kind: string): string[] {
  return filesBelow(join(projectRoot, folder, kind), (path) => path.endsWith('.ts')).flatMap((path) =>
    [...projectFile(`${folder}/${kind}/${path}`).matchAll(LISTENER)].map(([, name]) => `${path} ${name}`),
  );
}

/** The same for what stands in the registry: where each is found among the exports of the folder. */
async function registered(kind: string, registry: Record<string, Register>): Promise<string[]> {
  const found = exported(kind).map(async (one) => {
    const [path = '', name = ''] = one.split(' ');
    const module: Record<string, unknown> = await import(join(projectRoot, folder, kind, path));
    return Object.values<unknown>(registry).includes(module[name]) ? one : null;
  });
  return (await Promise.all(found)).filter((one) => one !== null);
}

const kinds: [string, Record<string, Register>][] = [
  ['commands', commands],
  ['actions', actions],
  ['assistant', assistant],
  ['events', events],
  ['shortcuts', shortcuts],
  ['views', views],
];

describe.each(kinds)('the registry of %s', (kind, registry) => {
  it('has every listener of its folder, and no other', async () => {
    expect(exported(kind).length).toBeGreaterThan(0);
    expect(await registered(kind, registry)).toEqual(exported(kind));
    expect(Object.keys(registry)).toHaveLength(exported(kind).length);
  });
});

describe('the registry of commands', () => {
  it('names each command as its file', () => {
    expect(exported('commands')).toEqual(Object.keys(commands).map((name) => `${name}.ts ${name}`));
  });
});

describe('the registry of actions', () => {
  it('has a listener for each button that our messages carry', () => {
    expect(Object.keys(actions).sort()).toEqual(Object.keys(actionIds).sort());
  });
});

describe('the registry of views', () => {
  it('has a listener for each of our modals', () => {
    expect(Object.keys(views).sort()).toEqual(Object.keys(viewIds).sort());
  });
});

it('a folder of listeners that nobody registers would show', () => {
  const known = kinds.map(([kind]) => kind).sort();
  const folders = filesBelow(join(projectRoot, folder), (path) => path.includes('/'));
  expect([...new Set(folders.map((path) => path.split('/')[0]))].sort()).toEqual(known);
});
