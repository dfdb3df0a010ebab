import { describe, expect, it } from 'vitest';
import { issueIdOf } from '../../../../../src/bot/filing/reference.ts';
import { ChannelSettings } from '../../../../../src/bot/store/channel-settings.ts';
import { announcementKey } from '../../../../../src/bot/store/intents/keys.ts';
import { listening, responseAddress } from '../../support/listening.ts';

const BY = { team: { id: 'T1', domain: 'acme' }, user: { id: 'U1', name: 'alice' }, trigger_id: '1.2.3' };

/** A private channel under one key. */
async function world(options: Parameters<typeof listening>[0] = {}) {
  const agreed = async (channel: string) =>
    (await l.store.channels.get(channel)).settings.namedElsewhere === undefined;
  const l = await listening({ needsConsent: agreed, ...options });
  l.slack.answers('conversations.info', { channel: { id: 'C1', is_member: true, is_private: true } });
  l.slack.answers('views.open', {});
  const { url, sent, blocks } = await responseAddress();
  const command = (name: string, text: string) =>
    l.give({
      command: `/${name}`,
      text,
      channel_id: 'C1',
      user_id: 'U1',
      trigger_id: '1.2.3',
      response_url: url,
    });
  const agree = (channel = 'C1', next = 'settings', user = BY.user, model: string | null = null) =>
    l.give({
      type: 'view_submission',
      ...BY,
      user,
      view: {
        id: 'V1',
        type: 'modal',
        callback_id: 'settings:naming',
        private_metadata: JSON.stringify({ channel, next, model }),
        state: { values: {} },
      },
    });
  const opened = () =>
    l.slack.calls.filter(({ method }) => method === 'views.open').map(({ args }) => `${args.view}`);
  return { ...l, sent, blocks, command, agree, opened };
}

describe('a private channel under one key', () => {
  it('is watched only after a member has agreed that its issues may be named elsewhere', async () => {
    const w = await world();
    await w.command('gumshoe', 'watch');
    expect(w.opened()).toEqual([expect.stringContaining('Name issues elsewhere?')]);
    await w.agree();
    expect(w.acks.at(-1)).toMatchObject({
      response_action: 'update',
      view: { callback_id: 'settings:save' },
    });
    const { watched, settings } = await w.store.channels.get('C1');
    expect({ watched, settings }).toEqual({
      watched: false,
      settings: { ...ChannelSettings.parse({}), namedElsewhere: { by: 'U1', at: expect.any(Number) } },
    });
    await w.command('gumshoe', 'watch');
    expect(w.opened().at(-1)).toContain('settings:save');
  });

  it('is told which language model sees its issues too, and the consent holds for that one', async () => {
    const model = { name: 'tiny', host: 'model.example.com', private: true, tokens: 0, ceiling: 1 };
    const w = await world({ languageModel: async () => model });
    await w.command('gumshoe', 'watch');
    expect(w.opened().at(-1)).toContain('tiny at model.example.com');
    await w.agree();
    await w.agree('C1', 'done', BY.user, model.host);
    const { settings } = await w.store.channels.get('C1');
    expect(settings.namedElsewhere).toEqual({ by: 'U1', at: expect.any(Number), model: model.host });
  });

  it('keeps on record who agreed, tells the channel, and says so below its settings', async () => {
    const w = await world();
    await w.agree();
    await w.agree('C1', 'done', { id: 'U2', name: 'bob' });
    expect(await w.store.audit.ofChannel('C1', 10)).toEqual({
      entries: [
        expect.objectContaining({
          who: 'U1',
          what: 'agreed that issues of C1 may be named in answers elsewhere',
        }),
      ],
      older: 0,
    });
    const announced = await w.store.outbox.get(announcementKey(issueIdOf('naming', 'V1')));
    expect({ channel: announced?.channel, said: JSON.parse(announced?.payload ?? '{}') }).toEqual({
      channel: 'C1',
      said: { what: 'named_elsewhere', by: 'U1' },
    });
    await w.command('gumshoe', '');
    expect(w.blocks.at(-1)).toContain('<@U1> agreed to it');
  });

  it('takes the agreement back with the watching', async () => {
    const w = await world();
    await w.agree();
    await w.give({
      type: 'view_submission',
      ...BY,
      view: {
        id: 'V2',
        type: 'modal',
        callback_id: 'settings:unwatch',
        private_metadata: 'C1',
        state: { values: {} },
      },
    });
    expect((await w.store.channels.get('C1')).settings).toEqual(ChannelSettings.parse({}));
    await w.command('gumshoe', 'watch');
    expect(w.opened().at(-1)).toContain('Name issues elsewhere?');
  });

  it('files nothing that a person asks for there', async () => {
    const w = await world();
    await w.command('investigate', 'the vault is open');
    expect(w.sent.map(({ text }) => text)).toEqual([expect.stringContaining('So I file nothing from here')]);
    expect(await w.store.issues.places('default')).toEqual([]);
  });

  it('files no alert that is posted there', async () => {
    const w = await world();
    await w.store.channels.watchFromStart('C1', '1.000000');
    const alert = {
      subtype: 'bot_message',
      username: 'Tool',
      bot_id: 'B0TOOL',
      text: '[FIRING:1] disk is full',
    };
    await w.event({ type: 'message', channel: 'C1', channel_type: 'group', ts: '10.0', ...alert });
    expect(await w.store.issues.places('default')).toEqual([]);
    await w.agree();
    await w.event({ type: 'message', channel: 'C1', channel_type: 'group', ts: '11.0', ...alert });
    expect(await w.store.issues.places('default')).toEqual(['C1']);
  });

  it.each([
    [
      'somebody who is not in the channel',
      { people: { maySet: async () => 'not_member' as const } },
      /Only members/,
    ],
    ['a guest', { people: { refusal: async () => 'guest' as const } }, /guest/i],
  ])('%s cannot agree for it, with a forged window either', async (_, options, words) => {
    const w = await world(options);
    await w.agree();
    expect(JSON.stringify(w.acks.at(-1))).toMatch(words);
    expect((await w.store.channels.get('C1')).settings.namedElsewhere).toBeUndefined();
  });
});
