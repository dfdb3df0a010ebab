import { describe, expect, it } from 'vitest';
import { channelProblem, problemOf } from '../../../../../src/bot/problems/stored.ts';
import { addCreated, theIssue, uuidOf } from '../../../../support/issues.ts';
import { listening } from '../../support/listening.ts';

type Listening = Awaited<ReturnType<typeof listening>>;

/** A program whose private channel #C0SECRET only U1 is in. */
async function homes(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  let n = 0;
  l.slack.answers('views.publish', () => {
    n += 1;
    return { view: { id: 'V1', hash: `hash-${n}` } };
  });
  l.slack.answers('conversations.members', ({ channel }) =>
    channel === 'C0SECRET' ? { members: ['U1', 'U0BOT'] } : { ok: false, error: 'channel_not_found' },
  );
  await l.store.channels.learn('C1', false);
  await l.store.channels.learn('C0WATCHED', false);
  await l.store.channels.learn('C0SECRET', true);
  return l;
}

async function issue(l: Listening, number: number, more: Parameters<typeof addCreated>[2] = {}) {
  const id = `issue${number}`;
  const title = `Problem ${number}`;
  await addCreated(l.store, l.clock.now() + number, { id, identity: null, number, title, ...more });
  l.service.issues.set(uuidOf(number), {
    uuid: uuidOf(number),
    number,
    status: 'ready_to_fix',
    latestVersion: 1,
  });
}

const open = (l: Listening, user: string, tab = 'home') =>
  l.event({ type: 'app_home_opened', user, channel: 'D1', tab, event_ts: '1.0' });

let presses = 0;
function press(l: Listening, user: string, action_id: string, value: string) {
  presses += 1;
  const choice =
    action_id === 'home:issue' ? { type: 'overflow', selected_option: { value } } : { type: 'button', value };
  return l.give({
    type: 'block_actions',
    team: { id: 'T1', domain: 'acme' },
    user: { id: user, name: 'somebody' },
    container: { type: 'view', view_id: 'V1' },
    trigger_id: `${presses}.2.3`,
    view: { id: 'V1', type: 'home' },
    actions: [{ action_id, block_id: 'b', action_ts: `${presses}.0`, ...choice }],
  });
}

/** What was published to somebody, the newest last. */
function published(l: Listening, user: string): string[] {
  const calls = l.slack.calls.filter(
    ({ method, args }) => method === 'views.publish' && args.user_id === user,
  );
  return calls.map(({ args }) => args.view ?? '');
}
const shown = (l: Listening, user: string) => published(l, user).at(-1) ?? '';

describe('the Home of a person', () => {
  it('shows what is open in public channels, and in private ones that they are in, and nothing of others', async () => {
    const l = await homes();
    await issue(l, 1, { status: 'ready_to_fix' });
    await issue(l, 2, { channel: 'C0SECRET', title: 'The secret problem' });
    await issue(l, 3, { channel: 'D0BOB', requestedBy: 'U2', title: 'What Bob asked for' });
    await issue(l, 4, { channel: 'C0NEVERHEARDOF', title: 'Nobody knows where' });
    await l.store.channels.watchFromStart('C0SECRET', '1.0');
    await open(l, 'U1');
    await open(l, 'U2');
    expect(shown(l, 'U1')).toContain('Problem 1');
    expect(shown(l, 'U1')).toContain('The secret problem');
    expect(shown(l, 'U1')).toContain('C0SECRET');
    expect(shown(l, 'U1')).not.toContain('What Bob asked for');
    expect(shown(l, 'U2')).toContain('What Bob asked for');
    expect(shown(l, 'U2')).toContain('🛠️ 1 ready to fix · 🔍 1 under investigation');
    for (const secret of ['The secret problem', 'C0SECRET', 'Nobody knows where']) {
      expect(shown(l, 'U2')).not.toContain(secret);
    }
  });

  it('hides private channels where Slack cannot be asked who is in them', async () => {
    const l = await homes();
    await issue(l, 2, { channel: 'C0SECRET', title: 'The secret problem' });
    l.slack.next('conversations.members', { error: 'missing_scope' });
    await open(l, 'U1');
    expect(shown(l, 'U1')).not.toContain('The secret problem');
    await l.clock.sleep(61_000);
    await open(l, 'U1');
    expect(shown(l, 'U1')).toContain('The secret problem');
  });

  it('names a channel in trouble only to whoever may see it', async () => {
    const broken = (channel: string, reason: string) =>
      problemOf({ name: channelProblem(channel), reason, since: 0, detail: '' });
    const problems = [broken('C1', 'is_archived'), broken('C0SECRET', 'not_in_channel')];
    const l = await homes({ runtimeStatus: { problems } });
    for (const user of ['U1', 'U2', 'U0ADMIN']) await open(l, user);
    const named = (user: string) => /in channel C0SECRET/u.test(shown(l, user));
    expect({ member: named('U1'), other: named('U2'), admin: named('U0ADMIN') }).toEqual({
      member: true,
      other: false,
      admin: true,
    });
    expect(shown(l, 'U2')).toContain('in channel C1');
  });

  it('knows who is in a private channel of more than ten thousand', async () => {
    const l = await homes();
    await issue(l, 2, { channel: 'C0SECRET', title: 'The secret problem' });
    l.slack.answers('conversations.members', ({ cursor = '0' }) => {
      const page = Number(cursor);
      return {
        members: page === 12 ? ['U1'] : [`U${page}X`],
        response_metadata: { next_cursor: page === 12 ? '' : String(page + 1) },
      };
    });
    await open(l, 'U1');
    await open(l, 'U2');
    expect(shown(l, 'U1')).toContain('The secret problem');
    expect(shown(l, 'U2')).not.toContain('The secret problem');
  });

  it('hears nothing of the other tab', async () => {
    const l = await homes();
    await issue(l, 1);
    await open(l, 'U1', 'messages');
    expect(published(l, 'U1')).toEqual([]);
  });

  it('turns pages', async () => {
    const l = await homes();
    for (let n = 1; n <= 23; n += 1) await issue(l, n);
    await open(l, 'U1');
    expect(shown(l, 'U1')).toContain('Page 1 of 3');
    await press(l, 'U1', 'home:next', '1');
    await press(l, 'U1', 'home:next', '2');
    expect(shown(l, 'U1')).toContain('Page 3 of 3');
    expect(shown(l, 'U1').match(/Problem \d+/gu)).toEqual(['Problem 3', 'Problem 2', 'Problem 1']);
    await press(l, 'U1', 'home:next', '99');
    expect(shown(l, 'U1')).toContain('Page 3 of 3');
    await press(l, 'U1', 'home:previous', '1');
    expect(shown(l, 'U1')).toContain('Page 2 of 3');
  });

  it('follows what changes, where something did, for an hour', async () => {
    const l = await homes();
    await issue(l, 1);
    await open(l, 'U1');
    await l.home.refresh();
    expect(published(l, 'U1')).toHaveLength(1);
    await issue(l, 2);
    await l.home.refresh();
    expect(published(l, 'U1')).toHaveLength(2);
    expect(shown(l, 'U1')).toContain('Problem 2');
    await l.clock.sleep(60 * 60_000 + 1);
    await issue(l, 3);
    await l.home.refresh();
    expect(published(l, 'U1')).toHaveLength(2);
  });

  it('names the view that it replaces, and publishes once more where that has changed', async () => {
    const l = await homes();
    await open(l, 'U1');
    await issue(l, 1);
    l.slack.next('views.publish', { error: 'hash_conflict' });
    await l.home.refresh();
    const calls = l.slack.calls.filter(({ method }) => method === 'views.publish');
    expect(calls.map(({ args }) => args.hash)).toEqual([undefined, 'hash-1', undefined]);
    expect(shown(l, 'U1')).toContain('Problem 1');
  });

  it('that Slack did not take is brought up to date at the next turn', async () => {
    const l = await homes();
    await issue(l, 1);
    l.slack.next('views.publish', { status: 429, retryAfter: 1 });
    await open(l, 'U1');
    await l.home.refresh();
    expect(published(l, 'U1')).toHaveLength(2);
  });
});

describe('what is done on the Home', () => {
  it('that Slack refuses is not published again and again', async () => {
    const l = await homes();
    l.slack.answers('views.publish', () => ({ ok: false, error: 'user_not_found' }));
    await open(l, 'U1');
    await l.home.refresh();
    await l.home.refresh();
    expect(published(l, 'U1')).toHaveLength(1);
  });

  it('changes an issue, says who did it, and shows it at once', async () => {
    const l = await homes();
    await issue(l, 1, { status: 'ready_to_fix' });
    await open(l, 'U1');
    await press(l, 'U1', 'home:issue', 'mute:issue1');
    expect(await theIssue(l.store, 'issue1')).toMatchObject({ status: 'muted' });
    expect(shown(l, 'U1')).toContain('🔕 1 muted');
    await press(l, 'U1', 'home:issue', 'reopen:issue1');
    await press(l, 'U1', 'home:issue', 'resolve:issue1');
    expect(shown(l, 'U1')).toContain('Nothing is open');
    expect((await l.store.audit.of('issue1')).map(({ who, what }) => [who, what])).toEqual([
      ['U1', 'muted it'],
      ['U1', 'reopened it'],
      ['U1', 'resolved it'],
    ]);
  });
});
