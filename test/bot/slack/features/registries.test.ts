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
import { filesBelow, projectFile, projectRoot } from '../../../support/files.ts';

const folder = 'src/bot/slack/features';

/** A listener in a source text: something exported that is a `Register`, by its type or by who makes it. */
const LISTENER = /^export const (\w+)(?:: Register =| = on(?:Issue|Hold|Home|Question)\w*\()/gmu;

/** Every listener that the features export, as `file name`. */
const exported = filesBelow(join(projectRoot, folder), (path) => path.endsWith('.ts')).flatMap((path) =>
  [...projectFile(`${folder}/${path}`).matchAll(LISTENER)].map(([, name]) => `${path} ${name}`),
);

it('every listener of a feature is registered once, and nothing else', async () => {
  const registries = [commands, actions, assistant, events, shortcuts, views];
  const registered: unknown[] = registries.flatMap((registry) => Object.values<unknown>(registry));
  expect(new Set(registered).size).toBe(registered.length);
  const found = await Promise.all(
    exported.map(async (one) => {
      const [path = '', name = ''] = one.split(' ');
      const module: Record<string, unknown> = await import(join(projectRoot, folder, path));
      return module[name];
    }),
  );
  expect(exported.filter((_one, index) => !registered.includes(found[index]))).toEqual([]);
  expect(registered.filter((one) => !found.includes(one))).toEqual([]);
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
