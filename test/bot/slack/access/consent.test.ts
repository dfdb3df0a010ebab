import { expect, it } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createNeedsConsent, createOriginOf } from '../../../../src/bot/slack/access/consent.ts';
import type { LanguageModel } from '../../../../src/contract/schema.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { testSlack } from '../../../support/slack.ts';

async function world({
  hasPrivateOrganization = false,
  isPrivate = true as boolean | null,
  model = null as LanguageModel | null,
} = {}) {
  const { store, clock } = await openTestStore();
  const slack = testSlack(clock);
  if (isPrivate === null) slack.next('conversations.info', { error: 'channel_not_found' });
  else slack.answers('conversations.info', { channel: { is_private: isPrivate } });
  const needs = createNeedsConsent({
    store: { channels: store.channels, hasPrivateOrganization },
    client: slack.client,
    clock,
    languageModel: async () => model,
    log: createLogger('silent'),
  });
  return { store, slack, needs, clock };
}

it('a private channel needs a member’s consent as long as there is one key', async () => {
  const w = await world();
  expect(await w.needs('C1')).toBe(true);
  await w.store.channels.nameElsewhere('C1', { by: 'U1', at: 5 });
  expect(await w.needs('C1')).toBe(false);
  await w.store.channels.nameElsewhere('C1', null);
  expect(await w.needs('C1')).toBe(true);
});

it('where its issues go to a language model, a consent counts that named the host', async () => {
  const model = { name: 'tiny', host: 'model.example.com', private: true, tokens: 0, ceiling: 1 };
  const w = await world({ model });
  await w.store.channels.nameElsewhere('C1', { by: 'U1', at: 5 });
  expect(await w.needs('C1')).toBe(true);
  await w.store.channels.nameElsewhere('C1', { by: 'U1', at: 5, model: 'elsewhere.example.com' });
  expect(await w.needs('C1')).toBe(true);
  await w.store.channels.nameElsewhere('C1', { by: 'U1', at: 5, model: model.host });
  expect(await w.needs('C1')).toBe(false);
  const spared = await world({ model: { ...model, private: false } });
  await spared.store.channels.nameElsewhere('C1', { by: 'U1', at: 5 });
  expect(await spared.needs('C1')).toBe(false);
});

it.each([
  ['nobody has agreed to a host', { by: 'U1', at: 5 }, { agreedModel: null }],
  ['the host is another one now', { by: 'U1', at: 5, model: 'before.example.com' }, { agreedModel: null }],
  ['it was named', { by: 'U1', at: 5, model: 'model.example.com' }, { agreedModel: 'model.example.com' }],
])('what comes from a private channel says which model may see it: %s', async (_when, agreed, told) => {
  const { store } = await openTestStore();
  const model = { name: 'tiny', host: 'model.example.com', private: true, tokens: 0, ceiling: 1 };
  await store.channels.nameElsewhere('C1', agreed);
  const originOf = (private_: boolean, hasPrivateOrganization: boolean) =>
    createOriginOf({
      store: { channels: store.channels, hasPrivateOrganization },
      languageModel: async () => ({ ...model, private: private_ }),
    });
  const from = { channel: 'C1', organization: null };
  expect(await originOf(true, false)(from)).toEqual({ isPrivate: true, ...told });
  expect(await originOf(false, false)(from)).toEqual({ isPrivate: true });
  // With a second key, and in a direct message, nobody has to agree: the operator has.
  expect(await originOf(true, true)(from)).toEqual({ isPrivate: true, agreedModel: model.host });
  expect(await originOf(true, false)({ ...from, channel: 'D1' })).toEqual({
    isPrivate: true,
    agreedModel: model.host,
  });
  await store.channels.learn('C1', false);
  expect(await originOf(true, false)(from)).toEqual({ isPrivate: false });
});

it('one that Slack does not show us counts as private', async () => {
  const w = await world({ isPrivate: null });
  expect(await w.needs('C1')).toBe(true);
});

it('with a second key, in public channels and in direct messages nobody has to agree', async () => {
  expect(await (await world({ hasPrivateOrganization: true })).needs('C1')).toBe(false);
  expect(await (await world()).needs('D1')).toBe(false);
  const open = await world({ isPrivate: false });
  expect(await open.needs('C1')).toBe(false);
});

it.each([true, false])(
  'a public channel is known as public before its first issue, second key: %s',
  async (hasPrivateOrganization) => {
    const w = await world({ hasPrivateOrganization, isPrivate: false });
    expect(await w.needs('C1')).toBe(false);
    expect(await w.store.channels.get('C1')).toMatchObject({ isPrivate: false });
  },
);

it('asks Slack once a minute about a private channel, and not at all about a public one', async () => {
  const w = await world();
  await w.store.channels.learn('C2', false);
  await Promise.all(['C1', 'C1', 'C2'].map((channel) => w.needs(channel)));
  await w.needs('C1');
  expect(w.slack.calls.map(({ args }) => args.channel)).toEqual(['C1']);
});

it('if Slack cannot be reached, rejects with one key, and takes the channel as private with two', async () => {
  for (const hasPrivateOrganization of [false, true]) {
    const w = await world({ hasPrivateOrganization });
    w.slack.next('conversations.info', { error: 'internal_error' });
    if (hasPrivateOrganization) expect(await w.needs('C1')).toBe(false);
    else await expect(w.needs('C1')).rejects.toThrow();
    expect(await w.store.channels.get('C1')).toMatchObject({ isPrivate: true });
  }
});
