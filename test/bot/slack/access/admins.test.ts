import { describe, expect, it } from 'vitest';
import { createAdmins } from '../../../../src/bot/slack/access/people.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { testSlack } from '../../../support/slack.ts';

const members = [
  { id: 'U1' },
  { id: 'U2', is_admin: true },
  { id: 'U3', is_owner: true, deleted: true },
  { id: 'B1', is_admin: true, is_bot: true },
  { id: 'U4', is_owner: true },
  { id: 'U5', is_admin: true },
  { id: 'U6', is_admin: true },
];

async function setting(adminUsers: string[] = []) {
  const opened = await openTestStore();
  const slack = testSlack(opened.clock);
  slack.answers('users.list', { members });
  const admins = createAdmins({ client: slack.client, store: opened.store, adminUsers });
  const { store } = opened;
  await store.channels.watchFromStart('C1', '1.0');
  await store.channels.watchFromStart('C2', '1.0');
  return { store, slack, admins, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

describe('who is told what only an operator fixes', () => {
  it('are those that the configuration names, without a question to Slack', async () => {
    await using test = await setting(['U8', 'U9']);
    await test.store.audit.add({ at: 1, who: 'U1', what: 'watched', issueId: null, channel: 'C1' });
    expect(await test.admins.adminsToNotify('C1')).toEqual(['U8', 'U9']);
    expect(test.slack.calls).toEqual([]);
  });

  it('is who last changed the settings of the channel, or of any watched one', async () => {
    await using test = await setting();
    await test.store.audit.add({ at: 1, who: 'U1', what: 'watched', issueId: null, channel: 'C1' });
    await test.store.audit.add({ at: 2, who: 'U2', what: 'watched', issueId: null, channel: 'C2' });
    await test.store.audit.add({ at: 3, who: 'U7', what: 'watched', issueId: null, channel: 'C-unwatched' });
    expect(await test.admins.adminsToNotify('C1')).toEqual(['U1']);
    expect(await test.admins.adminsToNotify()).toEqual(['U2']);
    expect(test.slack.calls).toEqual([]);
  });

  it('are up to three admins of the workspace where nobody changed anything', async () => {
    await using test = await setting();
    expect(await test.admins.adminsToNotify('C1')).toEqual(['U2', 'U4', 'U5']);
  });

  it('is nobody where Slack does not list them', async () => {
    await using test = await setting();
    test.slack.next('users.list', { error: 'missing_scope' });
    expect(await test.admins.adminsToNotify()).toEqual([]);
  });
});
