import { expect, it } from 'vitest';
import { ChannelSettings, readSettings } from '../../../src/bot/store/channel-settings.ts';

const defaults = ChannelSettings.parse({});

it.each<[string, string, Partial<ChannelSettings>]>([
  ['nothing', '', {}],
  ['cut JSON', '{"mode":"sugg', {}],
  ['a list', '[1]', {}],
  ['no object', 'null', {}],
  ['what an older version wrote', '{"exclude":["noise"]}', { exclude: ['noise'] }],
  ['one field of an unknown value', '{"mode":"psychic","exclude":["noise"]}', { exclude: ['noise'] }],
  ['a field in it of a wrong type', '{"include":["a",7],"people":true}', { people: true }],
  ['a field of a newer version', '{"later":1,"coolDownMinutes":5}', { coolDownMinutes: 5 }],
])('settings that are %s are read as far as they can be', (_what, text, read) => {
  expect(readSettings(text)).toEqual({ ...defaults, ...read });
});
