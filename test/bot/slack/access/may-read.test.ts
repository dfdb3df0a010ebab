import { expect, it } from 'vitest';
import { withReference } from '../../../../src/bot/filing/reference.ts';
import { belongingOf, createMayRead, type Reader } from '../../../../src/bot/slack/access/may-read.ts';
import { addCreated, uuidOf } from '../../../support/issues.ts';
import { filedFrom, forgetting, linkTo } from '../support/forgotten.ts';
import { listening } from '../support/listening.ts';

async function reading() {
  const f = await forgetting();
  const asked: string[] = [];
  const mayRead = createMayRead({
    ...f.deps,
    people: { isAdmin: async (id, asOf) => asked.push(`${id} ${asOf}`) > 0 && id === 'U0ADMIN' },
    isPrivateChannel: async (channel) => channel === 'C0SECRET',
  });
  const whole = (issue: Parameters<typeof belongingOf>[0]) => belongingOf(issue, 'default', f.deps);
  const belonging = (description: string, number = 9) => whole({ uuid: uuidOf(number), description });
  return { ...f, mayRead, belonging, whole, asked };
}

/** Everybody in a channel, people alone, and a key that belongs to nobody. */
const READERS: Record<string, Reader> = {
  elsewhere: { channel: 'C1' },
  there: { channel: 'C0SECRET' },
  member: { person: 'U0INSIDER' },
  other: { person: 'U1' },
  admin: { person: 'U0ADMIN' },
  key: {},
};

it.each<[string, { channel: string; requestedBy?: string }, string[]]>([
  ['a public channel: anybody', { channel: 'C0OPEN' }, Object.keys(READERS)],
  ['a private channel: there, and its members', { channel: 'C0SECRET' }, ['there', 'member']],
  ['a direct message: its person', { channel: 'D1', requestedBy: 'U1' }, ['other']],
])('an issue with a record in %s', async (_what, change, readers) => {
  const r = await reading();
  await r.store.channels.learn('C0OPEN', false);
  await r.store.channels.learn('C0SECRET', true);
  const issue = await addCreated(r.store, 0, { id: 'abc', number: 9, ...change });
  const may = await Promise.all(Object.values(READERS).map((reader) => r.mayRead(reader, issue)));
  expect(Object.keys(READERS).filter((_, at) => may[at])).toEqual(readers);
  const ours = await r.whole({ uuid: uuidOf(9) });
  const again = await Promise.all(Object.values(READERS).map((reader) => r.mayRead(reader, ours)));
  expect(again).toEqual(may);
});

it.each<[string, string, string[]]>([
  ['a public channel: anybody', filedFrom('C0OPEN'), Object.keys(READERS)],
  ['a private channel: its members and admins', filedFrom('C0SECRET'), ['there', 'member', 'admin']],
  ['two channels: where both permit it', `${filedFrom('C0SECRET')}\n${filedFrom('C0OTHER')}`, ['admin']],
  ['a channel that nobody knows: admins', filedFrom(null), ['admin']],
  ['another program: anybody', 'It is slow', Object.keys(READERS)],
])('an issue without a record, of %s', async (_what, description, readers) => {
  const r = await reading();
  const what = await r.belonging(description);
  const may = await Promise.all(Object.values(READERS).map((reader) => r.mayRead(reader, what)));
  expect(Object.keys(READERS).filter((_, at) => may[at])).toEqual(readers);
});

it('what another program filed for private channels may be read in one', async () => {
  const r = await reading();
  const what = { kind: 'elsewhere', organization: 'private' } as const;
  const may = await Promise.all(Object.values(READERS).map((reader) => r.mayRead(reader, what)));
  expect(Object.keys(READERS).filter((_, at) => may[at])).toEqual(['there']);
});

it('members are looked up again when somebody acts, and cached for those who only look', async () => {
  const r = await reading();
  const [reader, what] = [{ person: 'U0INSIDER' }, { channel: 'C0SECRET' }];
  expect(await r.mayRead(reader, what)).toBe(true);
  r.slack.answers('conversations.members', { members: [] });
  expect(await r.mayRead(reader, what)).toBe(true);
  expect(await r.mayRead(reader, what, 'now')).toBe(false);
});

it('who is in a channel is asked for once, whoever looks', async () => {
  const r = await reading();
  const what = { channel: 'C0SECRET' };
  const may = [];
  for (const person of ['U0INSIDER', 'U1', 'U2']) may.push(await r.mayRead({ person }, what));
  expect(may).toEqual([true, false, false]);
  expect(r.slack.methods()).toEqual(['conversations.members']);
});

it('where Slack does not say who is in a channel, nobody sees it, and whoever acts has to try again', async () => {
  const r = await reading();
  const [reader, what] = [{ person: 'U0INSIDER' }, { channel: 'C0SECRET' }];
  r.slack.answers('conversations.members', { ok: false, error: 'internal_error' });
  expect(await r.mayRead(reader, what)).toBe(false);
  await expect(r.mayRead(reader, what, 'now')).rejects.toThrow('internal_error');
});

it('all channels that are named must permit it', async () => {
  const a = await reading();
  const both = await a.belonging(`${filedFrom('C0OPEN')}\n${filedFrom('C0OTHER')}\n${filedFrom('C0SECRET')}`);
  expect(await a.mayRead({ person: 'U0INSIDER', channel: 'C0SECRET' }, both)).toBe(false);
  expect(await a.mayRead({ person: 'U0ADMIN', channel: 'C1' }, both)).toBe(true);
});

it('an admin is asked for last, and as of now', async () => {
  const a = await reading();
  await a.mayRead({ person: 'U1', channel: 'C1' }, await a.belonging(filedFrom('C0OPEN')), 'now');
  await a.mayRead({ person: 'U0INSIDER', channel: 'C1' }, await a.belonging(filedFrom('C0SECRET')), 'now');
  expect(a.asked).toEqual([]);
  await a.mayRead({ person: 'U1', channel: 'C1' }, await a.belonging(filedFrom('C0SECRET')), 'now');
  expect(a.asked).toEqual(['U1 now']);
});

it('an issue of a direct message is for the person of that conversation', async () => {
  const a = await reading();
  a.slack.answers('conversations.open', ({ users }) => ({ channel: { id: `D${users}` } }));
  const theirs = await a.belonging(filedFrom('DU7'));
  expect(await a.mayRead({ person: 'U7', channel: 'C1' }, theirs)).toBe(true);
  expect(await a.mayRead({ person: 'U8', channel: 'C1' }, theirs)).toBe(false);
});

it('whoever left a channel sees nothing of it within a minute', async () => {
  const a = await reading();
  const secret = await a.belonging(filedFrom('C0SECRET'));
  const reader = { person: 'U0INSIDER', channel: 'C1' };
  expect(await a.mayRead(reader, secret)).toBe(true);
  a.slack.answers('conversations.members', { members: ['U0OTHER'] });
  await a.clock.sleep(61_000);
  expect(await a.mayRead(reader, secret)).toBe(false);
});

it('a record here says where an issue belongs, by its uuid, and by its reference while it has none', async () => {
  const a = await reading();
  const record = await addCreated(a.store, 0, { id: 'abc', number: 9, channel: 'C0SECRET' });
  expect(await a.belonging(filedFrom('C0OPEN'))).toMatchObject({ kind: 'ours', issue: { id: record.id } });
  const twin = withReference('It is slow', 'abc', linkTo('C0OPEN'));
  expect(await a.belonging(twin, 10)).toEqual({ kind: 'forgotten', channels: ['C0OPEN'] });
  await a.store.issues.rewrite('abc', { uuid: null });
  expect(await a.belonging(twin, 10)).toMatchObject({ kind: 'ours', issue: { id: 'abc' } });
});

it('what the service quotes of an issue counts too, where it has changed the description', async () => {
  const a = await reading();
  const quoting = {
    uuid: uuidOf(9),
    description: 'The pool is full',
    seeds: [{ description: filedFrom('C0SECRET') }, {}],
  };
  expect(await a.whole(quoting)).toEqual({ kind: 'forgotten', channels: ['C0SECRET'] });
  expect(await a.whole({ uuid: uuidOf(9), description: ' ' })).toEqual({ kind: 'forgotten', channels: null });
  expect(await a.whole({ uuid: uuidOf(9), description: 'The pool is full', seeds: [{}] })).toEqual({
    kind: 'elsewhere',
    organization: 'default',
  });
});

it('a channel is as public as Slack says now, else as it was', async () => {
  const l = await listening();
  await l.store.channels.learn('C0OPEN', false);
  const { mayRead } = l.deps;
  const open = { kind: 'forgotten', channels: ['C0OPEN'] } as const;
  l.slack.answers('conversations.info', { ok: false, error: 'missing_scope' });
  expect(await mayRead({ channel: 'C1' }, open)).toBe(true);
  l.slack.answers('conversations.info', { channel: { is_private: true } });
  expect(await mayRead({ channel: 'C1' }, open)).toBe(false);
  await l.clock.sleep(61_000);
  l.slack.answers('conversations.info', { ok: false, error: 'channel_not_found' });
  expect(await mayRead({ channel: 'C1' }, open)).toBe(false);
});
