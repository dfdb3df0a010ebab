import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { COVERAGE, EVENT_SCOPES } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { botScopes, commandNames, eventScopes, methodScopes, shortcutIds } from '../src/bot/slack/ids.ts';
import { commandsListenedTo, listenedTo } from './bot/slack/support/features.ts';
import { filesBelow, projectFile, projectRoot } from './support/files.ts';
import { webApiMethodsIn } from './support/slack-methods.ts';

const View = z.looseObject({}).optional();
const Manifest = z.object({
  features: z.object({
    agent_view: View,
    assistant_view: View,
    slash_commands: z.array(z.object({ command: z.string() })),
    shortcuts: z.array(z.object({ callback_id: z.string() })).default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
});

const manifest = Manifest.parse(parse(projectFile('manifest.yml')));

function schemaFile(name: string): object {
  return z.looseObject({}).parse(JSON.parse(projectFile(`test/support/manifest-schema/${name}`)));
}

/** Slack's schema; it refers to its versions by their addresses, which are registered here so that nothing is fetched. */
function manifestValidator() {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const version of ['1.0.0', '2.0.0']) {
    const name = `manifest.schema.${version}.json`;
    const address = `https://raw.githubusercontent.com/slackapi/manifest-schema/v0.5.0/schemas/${name}`;
    ajv.addSchema(schemaFile(name), address);
  }
  return ajv.compile(schemaFile('manifest.schema.json'));
}

function methodsCalled(): string[] {
  const root = join(projectRoot, 'src');
  const paths = filesBelow(root, (path) => /\.ts$/.test(path) && !path.startsWith('demo/'));
  const sources = paths
    .filter((path) => path !== 'bot/slack/ids.ts')
    .map((path) => projectFile(`src/${path}`));
  return [...new Set(sources.flatMap(webApiMethodsIn))].sort();
}

describe('manifest.yml', () => {
  it("is valid against Slack's schema", () => {
    const validate = manifestValidator();
    validate(parse(projectFile('manifest.yml')));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("would be refused by Slack's schema with a command that has no slash, or a name that is too long", () => {
    const validate = manifestValidator();
    const valid = parse(projectFile('manifest.yml'));
    expect(validate({ ...valid, display_information: { name: 'x'.repeat(36) } })).toBe(false);
    const features = { ...valid.features, slash_commands: [{ command: 'ask', description: 'Ask' }] };
    expect(validate({ ...valid, features })).toBe(false);
  });

  it('declares the commands that the code knows', () => {
    expect(manifest.features.slash_commands.map(({ command }) => command)).toEqual([...commandNames]);
  });

  it('declares the shortcuts that the code knows', () => {
    const ids = manifest.features.shortcuts.map(({ callback_id }) => callback_id);
    expect(ids).toEqual(Object.values(shortcutIds));
  });

  it('subscribes to the events that the code knows', () => {
    expect(manifest.settings.event_subscriptions.bot_events).toEqual(Object.keys(eventScopes));
  });

  it('asks for the scopes that those events, commands and methods need, and for no other', () => {
    expect(manifest.oauth_config.scopes.bot).toEqual(botScopes());
  });

  it('declares an agent, and no assistant beside it', () => {
    expect(Object.keys(manifest.features)).toContain('agent_view');
    expect(Object.keys(manifest.features)).not.toContain('assistant_view');
  });
});

describe('the listeners', () => {
  it('are there for each command of the manifest, and for no other', () => {
    expect(commandsListenedTo.map((name) => `/${name}`).sort()).toEqual([...commandNames].sort());
  });

  it('are there for each event of the manifest, and for no other', () => {
    const names = Object.keys(eventScopes);
    const types = names.map((name) => name.split('.')[0] ?? '');
    expect(listenedTo('events').sort()).toEqual([...new Set(types)].sort());
  });
});

describe('the methods of the Web API', () => {
  it('are declared with their scopes where they are called, and only there', () => {
    // The app-level token's scopes are no part of the manifest.
    const ofAppToken = 'apps.connections.open';
    expect(methodsCalled()).toEqual([...Object.keys(methodScopes), ofAppToken].sort());
  });

  it('are found in calls and in names, whatever stands before or between', () => {
    const source = [
      'await client.chat.update({});',
      'this.web.conversations\n  .replies({});',
      "web.apiCall('views.open');",
      'list.chat.unknown(); text.normalize(); users.map(f)',
    ].join('\n');
    expect(webApiMethodsIn(source)).toEqual(['chat.update', 'conversations.replies', 'views.open']);
  });
});

describe('the local workspace', () => {
  it('has each method that is called, and each event of the manifest', () => {
    const methods = COVERAGE.map(({ method }) => method);
    expect(methodsCalled().filter((name) => !methods.includes(name))).toEqual([]);
    expect(Object.keys(eventScopes).filter((name) => !(name in EVENT_SCOPES))).toEqual([]);
  });
});
