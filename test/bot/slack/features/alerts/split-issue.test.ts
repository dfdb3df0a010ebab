import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { considerMessage } from '../../../../../src/bot/filing/carry-out.ts';
import { anAlert } from '../../../../support/an-alert.ts';
import { rejected } from '../../../../support/fake-service.ts';
import { theIssue, uuidOf } from '../../../../support/issues.ts';
import { listening, responseAddress } from '../../support/listening.ts';

type Listening = Awaited<ReturnType<typeof listening>>;

/** A choice in the menu of a card, as Slack says that it was made. */
function choose(choice: string, issueId: string, more: Record<string, unknown> = {}) {
  return {
    type: 'block_actions',
    team: { id: 'T1', domain: 'acme' },
    user: { id: 'U1', name: 'alice' },
    channel: { id: 'C1', name: 'alerts' },
    trigger_id: '1.2.3',
    response_url: 'http://127.0.0.1:9/expired',
    actions: [
      {
        type: 'overflow',
        action_id: 'issue:more',
        block_id: 'b',
        selected_option: { text: { type: 'plain_text', text: 'x' }, value: `${choice}:${issueId}` },
        action_ts: '1.0',
      },
    ],
    ...more,
  };
}

function updates(calls: readonly string[]): string[] {
  return calls.filter((call) => call.startsWith('update'));
}

function press(issueId: string, more: Record<string, unknown> = {}) {
  const action = {
    type: 'button',
    action_id: 'issue:attach-to',
    block_id: 'b',
    value: issueId,
    action_ts: '1.0',
  };
  return { ...choose('', issueId, more), actions: [action] };
}

function submit(callback_id: string, about: object, values: Record<string, object>) {
  return {
    type: 'view_submission',
    team: { id: 'T1', domain: 'acme' },
    user: { id: 'U1', name: 'alice' },
    trigger_id: '1.2.3',
    view: {
      id: 'V1',
      type: 'modal',
      callback_id,
      private_metadata: JSON.stringify(about),
      state: { values },
    },
  };
}

const option = (value: string) => ({ selected_option: { value } });

async function alert(l: Listening, ts: string, title: string, fingerprint = 'cpu', channel = 'C1') {
  const seen = {
    channel,
    ts,
    threadTs: null,
    permalink: null,
    alert: anAlert({ title, fingerprint }),
    sender: 'Alertmanager',
    byPerson: false,
    edited: false,
    note: null,
  };
  const options = {
    clock: l.clock,
    defaultEnvironment: 'production',
    maxIssuesPerDay: 500,
    needsConsent: async () => false,
  };
  return (await considerMessage(seen, { store: l.store, ...options })).issueId ?? '';
}

/** Issue 1 with a repeat, and issue 2, both at the service. */
async function twoIssues(l: Listening) {
  const one = await alert(l, '1.000000', 'Errors on web-1');
  await alert(l, '2.000000', 'Errors on web-2');
  const two = await alert(l, '3.000000', 'Disk', 'disk');
  for (const [number, id] of [
    [1, one],
    [2, two],
  ] as const) {
    const uuid = uuidOf(number);
    const status = 'ready_to_fix';
    await l.store.issues.rewrite(id, { state: 'created', number, uuid, status, endedVersion: 1 });
    l.service.issues.set(uuid, { uuid, number, status, latestVersion: 1 });
  }
  l.woken.length = 0;
  return { one, two };
}

function opened(l: Listening): string[] {
  return l.slack.calls.filter(({ method }) => method === 'views.open').map(({ args }) => args.view ?? '');
}

const View = z.looseObject({ callback_id: z.string(), private_metadata: z.string() });

describe('These are two problems', () => {
  it('opens at once with the repeats of that channel, and says which read the same', async () => {
    const l = await listening();
    l.slack.answers('views.open', {});
    const { one } = await twoIssues(l);
    await alert(l, '4.000000', 'Errors on web-1');
    await l.give(choose('notSame', one));
    const [view = ''] = opened(l);
    expect(View.parse(JSON.parse(view))).toMatchObject({
      callback_id: 'issue:not-same',
      private_metadata: JSON.stringify({ issueId: one, channel: 'C1' }),
    });
    expect(view).toContain('"1. ≈ Errors on web-1"');
    expect(view).toContain('"2. Errors on web-2"');
    expect(view).toContain('such alerts go to the newer issue.');
  });

  it('where nothing is left to tell apart says so', async () => {
    const l = await listening();
    const { two } = await twoIssues(l);
    const { url, sent } = await responseAddress();
    await l.give(choose('notSame', two, { response_url: url }));
    expect(sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^There is nothing to split off/)]);
  });

  it('sent, files the repeat apart; sent again, changes nothing and says so', async () => {
    const l = await listening();
    const { one } = await twoIssues(l);
    const form = submit(
      'issue:not-same',
      { issueId: one, channel: 'C1' },
      { repeat: { repeat: option('C1:2.000000') } },
    );
    await l.give(form);
    expect(l.acks).toEqual([null]);
    expect(l.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
    expect((await l.store.alerts.find('C1', '2.000000'))?.issueId).not.toBe(one);
    await l.give(form);
    expect(l.acks[1]).toMatchObject({
      response_action: 'errors',
      errors: { repeat: expect.stringMatching(/no longer belongs/) },
    });
    expect(await theIssue(l.store, one)).toMatchObject({ repeats: 0 });
  });

  it('does not take the message of another channel', async () => {
    const l = await listening();
    const { one } = await twoIssues(l);
    await alert(l, '2.000000', 'Errors on web-2', 'cpu', 'C2');
    const about = { issueId: one, channel: 'C1' };
    await l.give(submit('issue:not-same', about, { repeat: { repeat: option('C2:2.000000') } }));
    expect(l.acks).toEqual([
      { response_action: 'errors', errors: { repeat: expect.stringMatching(/no longer belongs/) } },
    ]);
    expect(await theIssue(l.store, one)).toMatchObject({ repeats: 2 });
  });
});

describe('The same problem', () => {
  it('opens with the open issues of the channel', async () => {
    const l = await listening();
    l.slack.answers('views.open', {});
    const { two } = await twoIssues(l);
    await l.give(choose('attach', two));
    expect(opened(l)[0]).toContain('#1 Errors on web-1');
    expect(opened(l)[0]).not.toContain('#2 Disk');
  });

  it.each([
    [{ number: { number: { value: '' } } }, /^Enter the number/],
    [{ number: { number: { value: 'twelve' } } }, /^Enter the number/],
    [{ issue: { issue: option('1') }, number: { number: { value: '2' } } }, /not both/],
    [{ number: { number: { value: '2' } } }, /#2 is this issue/],
    [{ number: { number: { value: '99' } } }, /^I did not file an issue #99/],
  ])('says at the field what is wrong: %o', async (values, words) => {
    const l = await listening();
    const { two } = await twoIssues(l);
    await l.give(submit('issue:attach', { issueId: two, channel: 'C1' }, values));
    expect(l.acks).toEqual([{ response_action: 'errors', errors: { number: expect.stringMatching(words) } }]);
    expect(await theIssue(l.store, two)).toMatchObject({ joinedInto: null });
  });

  it('attaches what was chosen, and the service is told', async () => {
    const l = await listening();
    const { one, two } = await twoIssues(l);
    await l.give(submit('issue:attach', { issueId: two, channel: 'C1' }, { issue: { issue: option('1') } }));
    expect(l.acks).toEqual([null]);
    expect(l.woken).toEqual(['outbox', 'status']);
    expect(await theIssue(l.store, two)).toMatchObject({ joinedInto: one, wantedStatus: 'resolved' });
  });

  it('is a button on what was told apart', async () => {
    const l = await listening();
    const { one, two } = await twoIssues(l);
    await l.store.issues.rewrite(two, { apartFrom: one });
    await l.give(press(two));
    expect(await theIssue(l.store, two)).toMatchObject({ joinedInto: one });
    const { url, sent } = await responseAddress();
    await l.store.issues.rewrite(one, { isOpen: false });
    await l.store.issues.rewrite(two, { joinedInto: null });
    await l.give(press(two, { response_url: url }));
    expect(sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^#1 is closed/)]);
  });
});

describe('Investigate again', () => {
  it('has the service begin the next version, once; and says when the service does not take it', async () => {
    const l = await listening();
    const { one } = await twoIssues(l);
    const { url, sent } = await responseAddress();
    l.service.break('update', rejected(500, 'boom', 'api_error'));
    await l.give(choose('investigateAgain', one, { response_url: url }));
    expect(sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^⚠️/)]);
    l.service.break('update', null);
    await l.give(choose('investigateAgain', one));
    expect(await theIssue(l.store, one)).toMatchObject({ status: 'investigating' });
    // The very same press, taken up again after a crash, is no second one.
    await l.give(choose('investigateAgain', one, { response_url: url }));
    expect(sent).toHaveLength(1);
    await l.give(choose('investigateAgain', one, { response_url: url, trigger_id: '2.2.3' }));
    expect(sent[1]?.text).toMatch(/^It is already being investigated/);
    expect(updates(l.service.calls)).toEqual(['update 1 investigating', 'update 1 investigating']);
  });
});

describe('a button of an issue that lives in a private channel', () => {
  it('does nothing elsewhere, and what its short card offers where that stands', async () => {
    const l = await listening();
    const { one } = await twoIssues(l);
    await l.store.channels.learn('C1', true);
    const { url, sent } = await responseAddress();
    const elsewhere = { channel: { id: 'C2', name: 'general' }, response_url: url };
    await l.give(choose('investigateAgain', one, elsewhere));
    expect(sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^I no longer have this issue/)]);
    expect(l.service.calls).toEqual([]);
    await alert(l, '9.000000', 'Errors on web-1', 'cpu', 'C2');
    await l.give(choose('investigateAgain', one, elsewhere));
    expect(updates(l.service.calls)).toEqual([]);
    expect(sent).toHaveLength(2);
    l.slack.answers('views.open', {});
    await alert(l, '10.000000', 'Errors on web-1', 'cpu', 'C2');
    await l.give(choose('notSame', one, elsewhere));
    expect(l.slack.methods()).toContain('views.open');
  });

  it.each([undefined, 'nonsense', 'explode:ID'])('with the choice %o does nothing', async (value) => {
    const l = await listening();
    const { one } = await twoIssues(l);
    const body = choose('', one);
    const selected_option = value === undefined ? null : { value: value.replace('ID', one) };
    await l.give({ ...body, actions: body.actions.map((action) => ({ ...action, selected_option })) });
    expect(l.service.calls).toEqual([]);
    expect(l.acks).toEqual([null]);
  });
});

describe('/issue in another channel', () => {
  it('shows of a private channel’s issue its number, status, severity and environment', async () => {
    const l = await listening();
    const { one } = await twoIssues(l);
    await l.store.issues.rewrite(one, { alertUrl: 'https://zebra.example/', service: 'zebra' });
    l.service.issues.set(uuidOf(1), {
      uuid: uuidOf(1),
      number: 1,
      status: 'ready_to_fix',
      title: 'Errors on web-1',
    });
    const { url, sent } = await responseAddress();
    const show = (channel_id: string) =>
      l.give({
        command: '/issue',
        text: '1',
        team_id: 'T1',
        channel_id,
        channel_name: 'x',
        user_id: 'U1',
        user_name: 'alice',
        trigger_id: '1.2.3',
        response_url: url,
      });
    await show('C9');
    await show('C1');
    expect(sent.map(({ text }) => text)).toEqual([
      'Issue #1 · 🔎 Investigated, no cause found',
      '#1 Errors on web-1 · 🔎 Investigated, no cause found',
    ]);
  });
});
