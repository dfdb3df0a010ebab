import { describe, expect, it } from 'vitest';
import { NotAskedError, organizationOf } from '../../../src/bot/asking/organization.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import { fakeService } from '../../support/fake-service.ts';
import { openTestStore } from '../../support/open-test-store.ts';

async function started(channel: string) {
  const opened = await openTestStore();
  const conversation = await opened.store.conversations.start({
    id: 'q1',
    channel,
    threadTs: '1.0',
    issueId: null,
    startedBy: 'U1',
    createdAt: 1,
  });
  const again = async () => {
    const fresh = await opened.store.conversations.get('q1');
    if (fresh === null) throw new Error('it was started');
    return fresh;
  };
  return { opened, store: opened.store, conversation, again };
}

const main = fakeService().client;
const both = createServices({ default: main, private: fakeService().client });
const one = createServices({ default: main });
const is = (answer: boolean) => async () => answer;
const silent = () => Promise.reject(new Error('Slack is down'));

describe('the organisation that a question goes to', () => {
  it.each([
    ['C1', both, is(true), 'private'],
    ['C1', both, is(false), 'default'],
    // Of a direct message Slack is not even asked.
    ['D1', both, silent, 'default'],
    // Without a second key there is nothing to ask about.
    ['C1', one, silent, 'default'],
  ] as const)('from %s', async (channel, services, isPrivateChannel, expected) => {
    const t = await started(channel);
    const deps = { store: t.store, services, isPrivateChannel };
    expect(await organizationOf(t.conversation, deps)).toBe(expected);
    expect((await t.again()).organization).toBe(expected);
    await t.opened[Symbol.asyncDispose]();
  });

  it('is none while Slack does not say what the channel is', async () => {
    const t = await started('C1');
    const deps = { store: t.store, services: both, isPrivateChannel: silent };
    await expect(organizationOf(t.conversation, deps)).rejects.toThrow(NotAskedError);
    expect((await t.again()).organization).toBeNull();
    await t.opened[Symbol.asyncDispose]();
  });

  it('stays what it was; but nothing is asked of the private one from a channel that became public', async () => {
    const t = await started('C1');
    const inPrivate = { store: t.store, services: both, isPrivateChannel: is(true) };
    const inPublic = { ...inPrivate, isPrivateChannel: is(false) };
    await organizationOf(t.conversation, inPrivate);
    expect(await organizationOf(await t.again(), inPrivate)).toBe('private');
    await expect(organizationOf(await t.again(), inPublic)).rejects.toThrow(/started in a private channel/);
    await t.opened[Symbol.asyncDispose]();
  });

  it('of a conversation that began elsewhere is not the private one where the channel became private', async () => {
    const t = await started('C1');
    await organizationOf(t.conversation, { store: t.store, services: both, isPrivateChannel: is(false) });
    const later = { store: t.store, services: both, isPrivateChannel: is(true) };
    expect(await organizationOf(await t.again(), later)).toBe('default');
    await t.opened[Symbol.asyncDispose]();
  });
});
