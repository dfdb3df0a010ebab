import { expect, it } from 'vitest';
import { withReference } from '../../../../src/bot/filing/reference.ts';
import { createIssueAccess } from '../../../../src/bot/slack/access/issue-access.ts';
import { createLogger } from '../../../../src/lib/log.ts';
import { addCreated, uuidOf } from '../../../support/issues.ts';
import { filedFrom, forgetting, linkTo } from '../support/forgotten.ts';
import { listening } from '../support/listening.ts';

async function access() {
  const f = await forgetting();
  const asked: string[] = [];
  const made = createIssueAccess({
    store: f.store,
    client: f.slack.client,
    clock: f.clock,
    log: createLogger('silent'),
    people: { isAdmin: async (id, asOf) => asked.push(`${id} ${asOf}`) > 0 && id === 'U0ADMIN' },
    permalink: (channel, ts) => `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
  });
  const belonging = (description: string, number = 9) =>
    made.belonging({ uuid: uuidOf(number), description });
  return { ...f, ...made, belonging, whole: made.belonging, asked };
}

it('what everybody in a channel reads may name an issue only where all of them may see it', async () => {
  const a = await access();
  const shown = async (description: string, channel: string) =>
    a.mayBeShownIn(await a.belonging(description), channel);
  expect({
    publicAnywhere: await shown(filedFrom('C0OPEN'), 'C1'),
    privateElsewhere: await shown(filedFrom('C0SECRET'), 'C1'),
    privateAtHome: await shown(filedFrom('C0SECRET'), 'C0SECRET'),
    ofTwo: await shown(`${filedFrom('C0SECRET')}\n${filedFrom('C0OTHER')}`, 'C0SECRET'),
    nobodysWithoutPermalink: await shown(filedFrom(null), 'C0SECRET'),
    filedElsewhere: await shown('It is slow', 'C1'),
  }).toEqual({
    publicAnywhere: true,
    privateElsewhere: false,
    privateAtHome: true,
    ofTwo: false,
    nobodysWithoutPermalink: false,
    filedElsewhere: true,
  });
});

it('all channels that are named must permit it', async () => {
  const a = await access();
  const both = await a.belonging(`${filedFrom('C0OPEN')}\n${filedFrom('C0OTHER')}\n${filedFrom('C0SECRET')}`);
  expect(await a.maySee(both, { userId: 'U0INSIDER', channel: 'C0SECRET' })).toBe(false);
  expect(await a.maySee(both, { userId: 'U0ADMIN', channel: 'C1' })).toBe(true);
});

it('an admin is asked for last, and as of now', async () => {
  const a = await access();
  await a.maySee(await a.belonging(filedFrom('C0OPEN')), { userId: 'U1', channel: 'C1' });
  await a.maySee(await a.belonging(filedFrom('C0SECRET')), { userId: 'U0INSIDER', channel: 'C1' });
  expect(a.asked).toEqual([]);
  await a.maySee(await a.belonging(filedFrom('C0SECRET')), { userId: 'U1', channel: 'C1' });
  expect(a.asked).toEqual(['U1 now']);
});

it('an issue of a direct message is for the person of that conversation', async () => {
  const a = await access();
  const theirs = await a.belonging(filedFrom('DU7'));
  expect(await a.maySee(theirs, { userId: 'U7', channel: 'C1' })).toBe(true);
  expect(await a.maySee(theirs, { userId: 'U8', channel: 'C1' })).toBe(false);
});

it('whoever left a channel sees nothing of it within a minute', async () => {
  const a = await access();
  const secret = await a.belonging(filedFrom('C0SECRET'));
  const viewer = { userId: 'U0INSIDER', channel: 'C1' };
  expect(await a.maySee(secret, viewer)).toBe(true);
  a.slack.answers('conversations.members', { members: ['U0OTHER'] });
  await a.clock.sleep(61_000);
  expect(await a.maySee(secret, viewer)).toBe(false);
});

it('a record here says where an issue belongs, by its uuid, and by its reference while it has none', async () => {
  const a = await access();
  const record = await addCreated(a.store, 0, { id: 'abc', number: 9, channel: 'C0SECRET' });
  expect(await a.belonging(filedFrom('C0OPEN'))).toMatchObject({ kind: 'ours', issue: { id: record.id } });
  const twin = withReference('It is slow', 'abc', linkTo('C0OPEN'));
  expect(await a.belonging(twin, 10)).toEqual({ kind: 'forgotten', channels: ['C0OPEN'] });
  await a.store.issues.rewrite('abc', { uuid: null });
  expect(await a.belonging(twin, 10)).toMatchObject({ kind: 'ours', issue: { id: 'abc' } });
});

it('what the service quotes of an issue counts too, where it has changed the description', async () => {
  const a = await access();
  const quoting = {
    uuid: uuidOf(9),
    description: 'The pool is full',
    seeds: [{ description: filedFrom('C0SECRET') }, {}],
  };
  expect(await a.whole(quoting)).toEqual({ kind: 'forgotten', channels: ['C0SECRET'] });
  expect(await a.whole({ uuid: uuidOf(9), description: ' ' })).toEqual({ kind: 'forgotten', channels: null });
  expect(await a.whole({ uuid: uuidOf(9), description: 'The pool is full', seeds: [{}] })).toEqual({
    kind: 'elsewhere',
  });
});

it('a channel is as public as Slack says now, else as it was', async () => {
  const l = await listening();
  await l.store.channels.learn('C0OPEN', false);
  const access = createIssueAccess({
    ...{ store: l.store, client: l.slack.client, clock: l.clock, log: createLogger('silent') },
    people: { isAdmin: async () => false },
    permalink: (channel, ts) => `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
  });
  const open = { kind: 'forgotten', channels: ['C0OPEN'] } as const;
  l.slack.answers('conversations.info', { ok: false, error: 'missing_scope' });
  expect(await access.mayBeShownIn(open, 'C1')).toBe(true);
  l.slack.answers('conversations.info', { channel: { is_private: true } });
  expect(await access.mayBeShownIn(open, 'C1')).toBe(false);
  await l.clock.sleep(61_000);
  l.slack.answers('conversations.info', { ok: false, error: 'channel_not_found' });
  expect(await access.mayBeShownIn(open, 'C1')).toBe(false);
});
