import { describe, expect, it } from 'vitest';
import { NotAskedError, organizationOf } from '../../../src/bot/asking/organization.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import { fakeService } from '../../support/fake-service.ts';
import { addCreated, uuidOf } from '../../support/issues.ts';
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

describe('the organization that a question goes to', () => {
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
    expect(await organizationOf(t.conversation, deps)).toEqual({ organization: expected, note: null });
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
    expect(await organizationOf(await t.again(), inPrivate)).toMatchObject({ organization: 'private' });
    await expect(organizationOf(await t.again(), inPublic)).rejects.toThrow(/started in a private channel/);
    await t.opened[Symbol.asyncDispose]();
  });

  it('of a conversation that began elsewhere is not the private one where the channel became private', async () => {
    const t = await started('C1');
    await organizationOf(t.conversation, { store: t.store, services: both, isPrivateChannel: is(false) });
    const later = { store: t.store, services: both, isPrivateChannel: is(true) };
    expect(await organizationOf(await t.again(), later)).toMatchObject({ organization: 'default' });
    await t.opened[Symbol.asyncDispose]();
  });
});

/** P1 of the private channel `C2`; and somebody asks in `C1`, which is private too. */
async function besideAnother() {
  const t = await started('C1');
  const { store } = t;
  await addCreated(store, 1, { id: 'other', number: 1, channel: 'C2', organization: 'private' });
  return { ...t, deps: { store, services: both, isPrivateChannel: is(true) } };
}

describe('the agent of private channels, which knows the issues of all of them', () => {
  it('is not asked where those of others may not be named: anybody could open a private channel, and ask', async () => {
    const t = await besideAnother();
    expect(await organizationOf(t.conversation, t.deps)).toEqual({
      organization: 'default',
      note: expect.stringMatching(/answered without the issues of private channels.*\/gumshoe naming/),
    });
    await t.opened[Symbol.asyncDispose]();
  });

  it('is asked in the only channel that has issues there, and once the members of the others have agreed', async () => {
    const t = await besideAnother();
    const inOther = { ...t.conversation, channel: 'C2' };
    expect(await organizationOf(inOther, t.deps)).toEqual({ organization: 'private', note: null });
    await t.store.channels.nameElsewhere('C2', { by: 'U1', at: 5 });
    expect(await organizationOf(t.conversation, t.deps)).toEqual({ organization: 'private', note: null });
    await t.opened[Symbol.asyncDispose]();
  });

  it('is asked no more once that is taken back, or an issue of another channel has come', async () => {
    const t = await besideAnother();
    await t.store.channels.nameElsewhere('C2', { by: 'U1', at: 5 });
    await organizationOf(t.conversation, t.deps);
    await t.store.channels.nameElsewhere('C2', null);
    await expect(organizationOf(await t.again(), t.deps)).rejects.toThrow(NotAskedError);
    await t.opened[Symbol.asyncDispose]();
  });

  it('keeps apart also what only the service still has of another channel', async () => {
    const t = await started('C1');
    await t.opened.execute(
      "INSERT INTO tombstones (uuid, number, organization, channel, checked_at) VALUES ('u', 1, 'private', 'C3', 0)",
    );
    const deps = { store: t.store, services: both, isPrivateChannel: is(true) };
    expect(await organizationOf(t.conversation, deps)).toMatchObject({ organization: 'default' });
    await t.opened[Symbol.asyncDispose]();
  });

  it('in the thread of a private issue nothing is asked of anybody else instead', async () => {
    const t = await besideAnother();
    await addCreated(t.store, 2, {
      id: 'own',
      identity: 'own',
      number: 2,
      channel: 'C1',
      organization: 'private',
      uuid: uuidOf(2),
    });
    const about = { ...t.conversation, issueId: 'own' };
    await expect(organizationOf(about, t.deps)).rejects.toThrow(/did not ask about this issue/);
    expect((await t.again()).organization).toBeNull();
    await t.opened[Symbol.asyncDispose]();
  });
});
