import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../src/render/action-ids.ts';
import { viewIds } from '../../../src/render/view-ids.ts';
import type { IssueFilter, IssueSummary } from '../../../src/service/schema/issue.ts';
import { rejected } from '../../support/fake-service.ts';
import { addCreated, theIssue, uuidOf } from '../../support/issues.ts';
import { command } from '../support/command.ts';
import { listening, responseAddress } from '../support/listening.ts';

type Overrides = Parameters<typeof addCreated>[2];

/** Somebody writes `/issue …`. */
async function issuing(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  const { url, said, bodies } = await responseAddress();
  const texts = () => said.map(({ text }) => text);
  const newest = () => texts().at(-1);
  const issue = async (text: string, more: Record<string, string> = {}) => {
    await l.give(command('/issue', text, { response_url: url, ...more }));
    return newest();
  };
  /** An issue that we filed, and that the service has. */
  const filed = async (number: number, overrides: Overrides = {}) => {
    const id = `issue-${number}`;
    await addCreated(l.store, l.clock.now(), { id, identity: id, number, ...overrides });
    there(number, overrides?.status ?? 'investigating');
  };
  /** One that the service has. */
  const there = (number: number, status = 'investigating') => {
    l.service.issues.set(uuidOf(number), {
      uuid: uuidOf(number),
      number,
      status,
      title: `Trouble ${number}`,
      latestVersion: 2,
    });
  };
  const press = (name: keyof typeof actionIds, value: string) =>
    l.give({
      type: 'block_actions',
      team: { id: 'T1' },
      user: { id: 'U1' },
      channel: { id: 'C1' },
      trigger_id: '1.2.3',
      response_url: url,
      actions: [{ type: 'button', action_id: actionIds[name], block_id: 'b', value, action_ts: '1.0' }],
    });
  return { ...l, said, bodies, texts, newest, issue, filed, there, press };
}

/** What the buttons of the newest answer carry, by action. */
function buttonsOf(body: Record<string, unknown> | undefined): Record<string, string> {
  const found = [
    ...JSON.stringify(body ?? {}).matchAll(/"action_id":"([^"]+)","value":("(?:[^"\\]|\\.)*")/gu),
  ];
  return Object.fromEntries(found.map(([, id = '', value = '""']) => [id, JSON.parse(value)]));
}

function summary(number: number): IssueSummary {
  const id = { uuid: uuidOf(number), number, title: `Trouble ${number}`, description: '' };
  const rest = {
    severity: 'high',
    environment: 'production',
    triggeredAt: '2026-03-17T12:00Z',
    seedCount: 1,
  };
  return { ...id, status: 'ready_to_fix', ...rest };
}

describe('/issue list', () => {
  it('asks the service for what is said, ten at a time, and shows it to that person alone', async () => {
    const l = await issuing();
    const asked: IssueFilter[] = [];
    l.service.client.issues.page = async (filter) => {
      asked.push(filter);
      return { object: 'list', data: [summary(7), summary(5)], has_more: false };
    };
    expect(await l.issue('list status = “ready to fix” slow env:prod')).toBe(
      'Issues, ready to fix, in prod, with “slow”: #7, #5',
    );
    expect(asked).toEqual([{ limit: 10, status: 'ready_to_fix', environment: 'production', search: 'slow' }]);
    expect(l.said[0]?.response_type).toBe('ephemeral');
    expect(buttonsOf(l.bodies[0])).toEqual({});
  });

  it('goes on, and back, through the service’s cursors, with its filter, in the same message', async () => {
    const l = await issuing();
    const asked: IssueFilter[] = [];
    l.service.client.issues.page = async (filter) => {
      asked.push(filter);
      const data = filter.startingAfter === 'a' ? [summary(2)] : [summary(7), summary(5)];
      return filter.startingAfter === 'a'
        ? { object: 'list', data, has_more: false, before: 'b' }
        : { object: 'list', data, has_more: true, after: 'a' };
    };
    await l.issue('list muted');
    const first = buttonsOf(l.bodies.at(-1));
    expect(Object.keys(first)).toEqual([actionIds.nextIssues]);
    await l.press('nextIssues', first[actionIds.nextIssues] ?? '');
    expect(l.bodies.at(-1)).toMatchObject({ replace_original: true, text: 'Issues, muted: #2' });
    const second = buttonsOf(l.bodies.at(-1));
    expect(Object.keys(second)).toEqual([actionIds.previousIssues]);
    await l.press('previousIssues', second[actionIds.previousIssues] ?? '');
    expect(l.bodies.at(-1)).toMatchObject({ replace_original: true, text: 'Issues, muted: #7, #5' });
    expect(asked).toEqual([
      { limit: 10, status: 'muted' },
      { limit: 10, status: 'muted', startingAfter: 'a' },
      { limit: 10, status: 'muted', endingBefore: 'b' },
    ]);
  });

  it('pages by issue ids where the service names no cursors', async () => {
    const l = await issuing();
    l.service.client.issues.page = async () => ({
      object: 'list',
      data: [summary(7), summary(5)],
      has_more: true,
    });
    await l.issue('list');
    const next = buttonsOf(l.bodies.at(-1))[actionIds.nextIssues] ?? '';
    expect(JSON.parse(next)).toMatchObject({ after: uuidOf(5) });
    await l.press('nextIssues', next);
    const { [actionIds.previousIssues]: previous = '' } = buttonsOf(l.bodies.at(-1));
    expect(JSON.parse(previous)).toMatchObject({ before: uuidOf(7) });
  });

  it('begins anew, and says so, where the issue that a page begins at is gone', async () => {
    const l = await issuing();
    l.service.client.issues.page = async ({ startingAfter }) => {
      if (startingAfter !== undefined) throw rejected(400, 'names no issue');
      return { object: 'list', data: [summary(7)], has_more: false };
    };
    await l.press(
      'nextIssues',
      JSON.stringify({
        command: '/issue',
        filter: { status: null, environment: null, search: null },
        after: 'x',
      }),
    );
    expect(JSON.stringify(l.bodies.at(-1))).toContain('this is its beginning');
  });

  it('keeps the page that there is where the next one cannot be fetched', async () => {
    const l = await issuing();
    l.service.break('', rejected(500, 'boom', 'api_error'));
    await l.press(
      'nextIssues',
      JSON.stringify({
        command: '/issue',
        filter: { status: null, environment: null, search: null },
        after: 'x',
      }),
    );
    expect(l.bodies.at(-1)).toMatchObject({ replace_original: false, text: expect.stringMatching(/^⚠️ /) });
  });

  it('says it where there are none', async () => {
    const l = await issuing();
    await l.issue('list status:muted');
    expect(JSON.stringify(l.bodies.at(-1))).toContain(
      'There is no such issue. `/issue list` shows all of them.',
    );
    await l.issue('list');
    expect(JSON.stringify(l.bodies.at(-1))).toContain('There are no issues yet.');
  });

  it.each([
    ['refuses', () => Promise.reject(rejected(400, 'no such status'))],
    ['passes over', async () => ({ object: 'list', data: [summary(1)], has_more: false })],
  ])('says which statuses there are where the service %s the one that was asked for', async (_, page) => {
    const l = await issuing();
    l.service.client.issues.page = page;
    expect(await l.issue('list status:mutted')).toBe(
      'There is no status “mutted”. Did you mean `status:muted`? There are `investigating`, `ready_to_fix`, `resolved`, `muted`.',
    );
  });

  it('shows a status that only a newer service knows', async () => {
    const l = await issuing();
    l.service.client.issues.page = async () => ({
      object: 'list',
      data: [{ ...summary(1), status: 'parked' }],
      has_more: false,
    });
    expect(await l.issue('list status:parked')).toBe('Issues, parked: #1');
  });

  it('tells nothing of an issue that lives in a private channel elsewhere, nor finds it by its words', async () => {
    const l = await issuing();
    await l.store.channels.learn('C0SECRET', true);
    await l.filed(1, { channel: 'C0SECRET', title: 'The merger' });
    await l.filed(2);
    expect(await l.issue('list')).toBe('Issues: #1, #2');
    expect(JSON.stringify(l.bodies.at(-1))).not.toMatch(/Trouble 1|C0SECRET/u);
    expect(JSON.stringify(l.bodies.at(-1))).toContain('lives in a private channel');
    await l.issue('list', { channel_id: 'C0SECRET' });
    expect(JSON.stringify(l.bodies.at(-1))).toContain('Trouble 1');
    l.service.client.issues.page = async () => ({ object: 'list', data: [summary(1)], has_more: false });
    expect(await l.issue('list merger')).toBe('Issues, with “merger”: none');
  });
});

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
    expect(l.rung).toEqual(['outbox']);
  });
});

describe('a change of status by command', () => {
  it('mutes for as long as was said', async () => {
    const l = await issuing();
    await l.filed(3);
    expect(await l.issue('mute 3 30m')).toMatch(/until <!date\^/u);
    expect((await theIssue(l.store, 'issue-3')).muted_until).toBe(l.clock.now() + 30 * 60_000);
  });

  it('reopens what is resolved, and says of what is open that it is', async () => {
    const l = await issuing();
    await l.filed(3, { status: 'resolved' });
    expect(await l.issue('open 3')).toMatch(/is now 🛠️ Ready to fix/u);
    expect(await l.issue('reopen 3')).toBe('#3 *Trouble 3* is 🛠️ Ready to fix already.');
    expect(l.service.calls).toEqual(['by number 3', 'update 3 ready_to_fix', 'by number 3']);
  });

  it('works for an issue that was filed elsewhere, and its mute has no end', async () => {
    const l = await issuing();
    l.there(9);
    expect(await l.issue('mute 9 2d')).toBe(
      '#9 *Trouble 9* is now 🔕 Muted. I did not file it, so I do not end its mute: `/issue reopen 9` does.',
    );
    expect(l.service.issues.get(uuidOf(9))?.status).toBe('muted');
  });

  it('is for its own channel where that is private', async () => {
    const l = await issuing();
    await l.store.channels.learn('C0SECRET', true);
    await l.filed(3, { channel: 'C0SECRET' });
    const words = '#3 lives in a private channel. Please do that there.';
    expect(await l.issue('resolve 3')).toBe(words);
    expect(await l.issue('results 3')).toBe(words);
    expect(await l.issue('delete 3', { user_id: 'U0ADMIN' })).toBe(words);
    expect(l.service.calls.filter((call) => call.startsWith('update'))).toEqual([]);
    expect(await l.issue('resolve 3', { channel_id: 'C0SECRET' })).toMatch(/is now ✅/u);
  });

  it('is for the issue that another was attached to', async () => {
    const l = await issuing();
    await l.filed(3);
    await l.filed(4);
    await l.store.issues.update('issue-4', { joined_into: 'issue-3', is_open: 0 });
    expect(await l.issue('resolve 4')).toBe('#4 is attached to #3 and counts there. Please do that with #3.');
  });

  it('changes nothing where the service refuses', async () => {
    const l = await issuing();
    await l.filed(3);
    l.service.fail('update', { error: rejected(403, 'no') });
    expect(await l.issue('resolve 3')).toMatch(/^⚠️ Our API key may not do this/u);
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
      '#9 *Trouble 9* is still being investigated. Its results come into its thread.',
    ],
    ['results 9', 'resolved', 'The service has no results of #9 *Trouble 9*.'],
    ['results 9 v7', 'resolved', '#9 *Trouble 9* has 2 versions of results, not 7.'],
  ])('“%s” of an issue that is %s says why there are none', async (text, status, words) => {
    const l = await issuing();
    l.there(9, status);
    expect(await l.issue(text)).toBe(words);
  });

  it('asks for no version that there is not: a service may answer with the newest instead', async () => {
    const l = await issuing();
    l.there(9, 'ready_to_fix');
    l.service.results.set(uuidOf(9), found('The disk was full.'));
    expect(await l.issue('results 9 v7')).toMatch(/has 2 versions of results, not 7/u);
  });
});

describe('/issue delete', () => {
  const ADMIN = { user_id: 'U0ADMIN' };

  /** The window that is open. */
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

  it('is for admins', async () => {
    const l = await issuing();
    await l.filed(3);
    expect(await l.issue('delete 3')).toBe(
      'Only admins delete issues. Please ask one of them; anybody can resolve one.',
    );
    expect(l.slack.methods()).toEqual([]);
  });

  it('asks first, then deletes, and the window says so', async () => {
    const l = await issuing();
    l.slack.answers('views.open', {});
    l.slack.answers('views.update', {});
    await l.filed(3);
    await l.issue('rm 3', ADMIN);
    expect(JSON.stringify(opened(l))).toContain('Delete #3 *Trouble 3* for good?');
    expect(l.service.issues.size).toBe(1);
    await confirm(l);
    expect(l.acks.at(-1)).toMatchObject({ response_action: 'update' });
    expect(l.service.issues.size).toBe(0);
    expect(l.slack.calls.at(-1)?.args.view).toContain('🗑️ #3 is deleted.');
    expect(await theIssue(l.store, 'issue-3')).toMatchObject({ state: 'gone' });
    expect(await l.issue('3')).toMatch(/🗑️ Deleted/u);
  });

  it('is checked again when it is confirmed', async () => {
    const l = await issuing();
    l.slack.answers('views.open', {});
    await l.filed(3);
    await l.issue('delete 3', ADMIN);
    await confirm(l, 'U1');
    expect(JSON.stringify(l.acks.at(-1))).toContain('Only admins delete issues');
    expect(l.service.issues.size).toBe(1);
  });

  it('says in the window that the service failed, and deletes nothing here', async () => {
    const l = await issuing();
    l.slack.answers('views.open', {});
    l.slack.answers('views.update', {});
    await l.filed(3);
    await l.issue('delete 3', ADMIN);
    l.service.fail('delete', { error: rejected(500, 'boom', 'api_error') });
    await confirm(l);
    expect(l.slack.calls.at(-1)?.args.view).toContain(
      '⚠️ #3 is not deleted. The investigation service has a problem',
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
