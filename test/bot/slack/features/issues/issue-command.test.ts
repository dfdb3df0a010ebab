import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import { viewIds } from '../../../../../src/bot/render/view-ids.ts';
import { shortCardIntent } from '../../../../../src/bot/store/intents/issue-intents.ts';
import { crashAt } from '../../../../support/crash-at.ts';
import { rejected } from '../../../../support/fake-service.ts';
import { theIssue, uuidOf } from '../../../../support/issues.ts';
import { tablesOf } from '../../../../support/tables-of.ts';
import { issuing } from '../../support/issuing.ts';

describe.each([
  ['resolve', 'resolved', '✅ Resolved'],
  ['mute', 'muted', '🔕 Muted'],
  ['ready', 'ready_to_fix', '🛠️ Ready to fix'],
])('/issue %s', (verb, status, words) => {
  it('sets the status, says so, and keeps who did it', async () => {
    const l = await issuing();
    await l.filed(3);
    const answer = await l.issue(`${verb} #3`);
    expect(answer?.startsWith(`#3 *Trouble 3* is now ${words}`)).toBe(true);
    expect(l.service.calls).toEqual(['by number 3', `update 3 ${status}`]);
    expect(await theIssue(l.store, 'issue-3')).toMatchObject({ status });
    expect(await l.store.audit.of('issue-3')).toMatchObject([{ who: 'U1' }]);
    expect(l.woken).toEqual(['outbox']);
  });
});

describe('a change of status by command', () => {
  it('mutes for as long as was said', async () => {
    const l = await issuing();
    await l.filed(3);
    expect(await l.issue('mute 3 30m')).toMatch(/until <!date\^/u);
    expect((await theIssue(l.store, 'issue-3')).mutedUntil).toBe(l.clock.now() + 30 * 60_000);
  });

  it('reopens what is resolved, and says of what is open that it is', async () => {
    const l = await issuing();
    await l.filed(3, { status: 'resolved' });
    expect(await l.issue('open 3')).toMatch(/is now 🛠️ Ready to fix/u);
    expect(await l.issue('reopen 3')).toBe('#3 *Trouble 3* is already 🛠️ Ready to fix.');
    expect(l.service.calls).toEqual(['by number 3', 'get 3', 'update 3 ready_to_fix', 'by number 3']);
  });

  it.each([
    ['ours', true],
    ['filed elsewhere', false],
  ])('reopens what is under investigation still as just that: %s', async (_, isOurs) => {
    const l = await issuing();
    if (isOurs) await l.filed(3, { status: 'muted' });
    else l.there(3);
    const there = l.service.issues.get(uuidOf(3));
    if (there === undefined) throw new Error('it is at the service');
    const versions = [{ version: 1, status: 'RUNNING' }];
    l.service.issues.set(uuidOf(3), { ...there, status: 'muted', latestVersion: 1, versions });
    expect(await l.issue('reopen 3')).toBe('#3 *Trouble 3* is now 🔍 Investigating.');
    expect(l.service.issues.get(uuidOf(3))?.status).toBe('investigating');
  });

  it('works for an issue that was filed elsewhere, and its mute has no end', async () => {
    const l = await issuing();
    l.there(9);
    expect(await l.issue('mute 9 2d')).toBe(
      '#9 *Trouble 9* is now 🔕 Muted. I did not file it, so I will not end its mute: use `/issue reopen 9`.',
    );
    expect(l.service.issues.get(uuidOf(9))?.status).toBe('muted');
  });

  it('is for its own channel where that is private', async () => {
    const l = await issuing();
    await l.store.channels.learn('C0SECRET', true);
    await l.filed(3, { channel: 'C0SECRET' });
    const words = '#3 belongs to a private channel. Do that there.';
    expect(await l.issue('resolve 3')).toBe(words);
    expect(await l.issue('results 3')).toBe(words);
    expect(await l.issue('delete 3', { user_id: 'U0ADMIN' })).toBe(words);
    expect(l.service.calls.filter((call) => call.startsWith('update'))).toEqual([]);
    expect(await l.issue('resolve 3', { channel_id: 'C0SECRET' })).toMatch(/is now ✅/u);
  });

  it('where a short card of a private channel’s issue stands is made without its title', async () => {
    const l = await issuing();
    await l.store.channels.learn('C0SECRET', true);
    await l.filed(3, { channel: 'C0SECRET' });
    const alert = { channel: 'C1', ts: '1.0', threadTs: null };
    await l.store.outbox.want(shortCardIntent('issue-3', alert, 0));
    expect(await l.issue('ready 3')).toBe('#3 belongs to a private channel. Do that there.');
    expect(await l.issue('resolve 3')).toBe('#3 is now ✅ Resolved.');
  });

  it('says where an alert goes on whose issue is resolved', async () => {
    const l = await issuing();
    await l.filed(3, { source: 'alertmanager' });
    expect(await l.issue('resolve 3')).toMatch(
      /is now ✅ Resolved\. Its alert has not recovered, as far as I know\.$/u,
    );
  });

  it('is for the issue that another was attached to', async () => {
    const l = await issuing();
    await l.filed(3);
    await l.filed(4);
    await l.store.issues.rewrite('issue-4', { joinedInto: 'issue-3', isOpen: false });
    expect(await l.issue('resolve 4')).toBe('#4 is attached to #3. Use #3 instead.');
  });

  it('changes nothing where the service refuses', async () => {
    const l = await issuing();
    await l.filed(3);
    l.service.fail('update', { error: rejected(403, 'no') });
    expect(await l.issue('resolve 3')).toMatch(/^⚠️ Our API key is not allowed to do this/u);
    expect((await theIssue(l.store, 'issue-3')).status).toBe('investigating');
  });
});

describe('/issue results', () => {
  const found = (summaryText: string) => ({ rootCause: { rootCauseSummary: summaryText } });

  it('shows what was kept, of the version that was asked for, without asking for it again', async () => {
    const l = await issuing();
    await l.filed(3, { status: 'ready_to_fix' });
    await l.store.results.save('issue-3', 1, JSON.stringify(found('The pool was full.')), 1);
    expect(await l.issue('results 3 v1')).toMatch(/The pool was full/u);
    expect(l.service.calls).toEqual(['by number 3']);
  });

  it('asks the service for the newest, also of issues that were filed elsewhere', async () => {
    const l = await issuing();
    l.there(9, 'ready_to_fix');
    l.service.results.set(uuidOf(9), found('The disk was full.'));
    expect(await l.issue('9 results')).toMatch(/The disk was full/u);
    expect(l.service.calls).toEqual(['by number 9', 'results 9 v2']);
  });

  it.each([
    [
      'results 9',
      'investigating',
      '#9 *Trouble 9* is still being investigated. Results will be posted in its thread.',
    ],
    ['results 9', 'resolved', 'The service has no results for #9 *Trouble 9*.'],
    ['results 9 v7', 'resolved', '#9 *Trouble 9* has 2 versions of its results; there is no version 7.'],
  ])('“%s” of an issue that is %s says why there are none', async (text, status, words) => {
    const l = await issuing();
    l.there(9, status);
    expect(await l.issue(text)).toBe(words);
  });

  it('asks for no version that there is not: a service may answer with the newest instead', async () => {
    const l = await issuing();
    l.there(9, 'ready_to_fix');
    l.service.results.set(uuidOf(9), found('The disk was full.'));
    expect(await l.issue('results 9 v7')).toMatch(/has 2 versions of its results; there is no version 7/u);
  });
});

describe('/issue delete', () => {
  const ADMIN = { user_id: 'U0ADMIN' };

  /** The modal that is open. */
  const opened = (l: Awaited<ReturnType<typeof issuing>>) =>
    JSON.parse(l.slack.calls.findLast(({ method }) => method === 'views.open')?.args.view ?? '{}');

  const confirm = (l: Awaited<ReturnType<typeof issuing>>, by = 'U0ADMIN') => {
    const { private_metadata } = opened(l);
    const view = {
      id: 'V1',
      type: 'modal',
      callback_id: viewIds.deleteIssue,
      private_metadata,
      state: { values: {} },
    };
    return l.give({
      type: 'view_submission',
      team: { id: 'T1' },
      user: { id: by },
      trigger_id: '1.2.4',
      view,
      response_urls: [],
    });
  };

  it('asks first, then deletes, and the modal says so', async () => {
    const l = await issuing();
    l.slack.answers('views.open', {});
    l.slack.answers('views.update', {});
    await l.filed(3);
    await l.issue('rm 3', ADMIN);
    expect(JSON.stringify(opened(l))).toContain('Permanently delete #3 *Trouble 3*?');
    expect(l.service.issues.size).toBe(1);
    await confirm(l);
    expect(l.acks.at(-1)).toMatchObject({ response_action: 'update' });
    expect(l.service.issues.size).toBe(0);
    expect(l.slack.calls.at(-1)?.args.view).toContain('🗑️ #3 has been deleted.');
    expect(await theIssue(l.store, 'issue-3')).toMatchObject({ state: 'gone' });
    expect(await l.issue('3')).toMatch(/🗑️ Deleted/u);
  });

  it('is not done where its channel has become private meanwhile', async () => {
    const l = await issuing();
    l.slack.answers('views.open', {});
    await l.store.channels.learn('C0SOON', false);
    await l.filed(3, { channel: 'C0SOON' });
    await l.issue('delete 3', ADMIN);
    await l.store.channels.learn('C0SOON', true);
    await confirm(l);
    expect(JSON.stringify(l.acks.at(-1))).toContain('a private channel');
    expect(l.service.issues.size).toBe(1);
  });

  it('waits for an issue that is just being filed', async () => {
    const l = await issuing();
    await l.filed(3);
    await l.store.issues.rewrite('issue-3', { state: 'pending', uuid: null });
    const there = l.service.issues.get(uuidOf(3));
    if (there) l.service.issues.set(uuidOf(3), { ...there, description: 'x\n\nReference: gumshoe-issue-3' });
    expect(await l.issue('delete 3', ADMIN)).toBe('#3 is still being filed. Try again in a minute.');
    expect(await l.issue('resolve 3')).toBe('#3 is still being filed. Try again in a minute.');
  });

  it('says in the modal that the service failed, and deletes nothing here', async () => {
    const l = await issuing();
    l.slack.answers('views.open', {});
    l.slack.answers('views.update', {});
    await l.filed(3);
    await l.issue('delete 3', ADMIN);
    l.service.fail('delete', { error: rejected(500, 'boom', 'api_error') });
    await confirm(l);
    expect(l.slack.calls.at(-1)?.args.view).toContain(
      '⚠️ #3 was not deleted. The investigation service returned an error',
    );
    expect(await theIssue(l.store, 'issue-3')).toMatchObject({ state: 'created' });
  });

  it('is in the menu of a card too', async () => {
    const l = await issuing();
    l.slack.answers('views.open', {});
    await l.filed(3);
    const option = {
      type: 'overflow',
      action_id: actionIds.more,
      block_id: 'b',
      selected_option: { value: 'delete:issue-3' },
    };
    const chosen = {
      type: 'block_actions',
      team: { id: 'T1' },
      channel: { id: 'C1' },
      trigger_id: '1.2.3',
      actions: [option],
    };
    await l.give({ ...chosen, user: { id: 'U0ADMIN' }, response_url: 'http://127.0.0.1:9/expired' });
    expect(JSON.parse(opened(l).private_metadata)).toEqual({
      uuid: uuidOf(3),
      number: 3,
      issueId: 'issue-3',
      channel: 'C1',
    });
  });
});

describe('a command that a crash cuts off', () => {
  const steps = ['status: before send', 'status: sent', 'status: recorded'];

  it.each(steps)('at “%s” is done once when it is taken up, and says so', async (at) => {
    let isDying = true;
    const l = await issuing({ checkpoint: (name) => (isDying ? crashAt(at)(name) : undefined) });
    await l.filed(3);
    await expect(l.issue('resolve 3')).rejects.toThrow();
    isDying = false;
    // Meanwhile the poller has seen it resolved, and cannot know by whom.
    await l.store.issues.rewrite('issue-3', { status: l.service.issues.get(uuidOf(3))?.status ?? '' });
    expect(await l.issue('resolve 3')).toMatch(/is now ✅ Resolved/u);
    expect(await l.issue('resolve 3', { trigger_id: '2.2.3' })).toMatch(/is already ✅ Resolved/u);
    expect((await l.store.audit.of('issue-3')).map(({ what }) => what)).toEqual(['resolved it']);
  });

  it.each(['status: sent', 'status: recorded'])(
    'at “%s” is kept once of an issue filed elsewhere',
    async (at) => {
      let isDying = true;
      const l = await issuing({ checkpoint: (name) => (isDying ? crashAt(at)(name) : undefined) });
      l.there(9);
      await expect(l.issue('resolve 9')).rejects.toThrow();
      isDying = false;
      expect(await l.issue('resolve 9')).toMatch(/is now ✅ Resolved/u);
      const audit = tablesOf(l.file).audit;
      expect(audit).toEqual([
        expect.objectContaining({ what: 'set #9, which was filed elsewhere, to resolved' }),
      ]);
    },
  );
});
