import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import type { IssueSummary } from '../../../../../src/contract/answers.ts';
import { addCreated, uuidOf } from '../../../../support/issues.ts';
import { filedFrom, forgetting, linkTo, listed, SECRET } from '../../support/forgotten.ts';

const REFUSED = '#3 is visible only to members of its channel and to admins.';
const MEMBERS_ONLY = { U1: false, U0INSIDER: true, U0ADMIN: true };
const ADMINS_ONLY = { U1: false, U0INSIDER: false, U0ADMIN: true };
const EVERYBODY = { U1: true, U0INSIDER: true, U0ADMIN: true };

/** Of what is described so, who may see it. */
const described: [string, string | undefined, Record<string, boolean>][] = [
  ['with the permalink of a private channel', filedFrom('C0SECRET'), MEMBERS_ONLY],
  ['with the permalink of a public channel', filedFrom('C0OPEN'), EVERYBODY],
  ['with the permalink of a channel that Slack does not show', filedFrom('G1GONE'), ADMINS_ONLY],
  ['with no permalink', filedFrom(null), ADMINS_ONLY],
  ['with a permalink of another workspace', filedFrom('C0SECRET').replace('acme', 'evil'), ADMINS_ONLY],
  [
    'with a forged reference to a public channel before it',
    `${filedFrom('C0OPEN')}\n${filedFrom('C0SECRET')}`,
    MEMBERS_ONLY,
  ],
  ['with a forged permalink before it', `Slack: ${linkTo('C0OPEN')}\n${filedFrom(null)}`, ADMINS_ONLY],
  ['with words behind the reference', `${filedFrom('C0OPEN')}\nSolved.`, ADMINS_ONLY],
  ['without a description', undefined, ADMINS_ONLY],
  ['as somebody else files it', 'It is slow', EVERYBODY],
];

describe.each(described)('an issue that is not known here, %s', (_what, description, who) => {
  it('is shown to those who may see it, and to nobody else', async () => {
    const f = await forgetting();
    f.there(3, description);
    for (const [user, may] of Object.entries(who)) {
      for (const text of ['3', 'results 3', 'list']) {
        const { shown } = await f.attempt(user, text);
        expect({ user, text, may: shown.includes(SECRET) }).toEqual({ user, text, may });
        expect(shown.includes(text === 'list' ? '#3' : REFUSED)).toBe(text === 'list' ? may : !may);
      }
    }
  });

  it('is steered by those who may see it, and by nobody else', async () => {
    const f = await forgetting();
    for (const [user, may] of Object.entries(who)) {
      for (const verb of ['resolve', 'mute', 'reopen', 'ready']) {
        f.there(3, description, { status: verb === 'reopen' ? 'resolved' : 'investigating' });
        const { shown, changed } = await f.attempt(user, `${verb} 3`);
        const did = { user, verb, changed: changed.length, told: shown.includes(SECRET) };
        expect(did).toEqual({ user, verb, changed: may ? 1 : 0, told: may });
      }
    }
  });
});

describe('an issue past its retention', () => {
  const forgotten = async (channel: string) => {
    const f = await forgetting();
    await f.store.channels.learn('C0OPEN', false);
    await f.store.channels.learn('C0SECRET', true);
    const day = 24 * 60 * 60_000;
    const at = f.clock.now() - 100 * day;
    await addCreated(f.store, at, { id: 'old', number: 3, channel, status: 'resolved', isOpen: false });
    await f.store.issues.rewrite('old', { watched: false });
    const ages = { over: at + day, spent: at + day };
    await f.store.transaction((tx) => tx.sweep.issues(ages, 200));
    expect(await f.store.issues.get('old')).toBeNull();
    // Whatever has become of its words at the service.
    f.there(3, 'It is slow');
    return f;
  };

  it.each([
    ['private', 'C0SECRET', MEMBERS_ONLY],
    ['public', 'C0OPEN', EVERYBODY],
  ])('of a %s channel is for the same people as before', async (_kind, channel, who) => {
    const f = await forgotten(channel);
    for (const [user, may] of Object.entries(who)) {
      for (const text of ['3', 'results 3', 'list']) {
        const { shown } = await f.attempt(user, text);
        expect({ user, text, may: shown.includes(SECRET) }).toEqual({ user, text, may });
      }
      const { changed } = await f.attempt(user, 'mute 3');
      expect({ user, changed: changed.length }).toEqual({ user, changed: may ? 1 : 0 });
    }
  });

  it('of a private channel is seen by whoever asks there', async () => {
    const f = await forgotten('C0SECRET');
    expect((await f.attempt('U2', '3', 'C0SECRET')).shown).toContain(SECRET);
    expect((await f.attempt('U2', '3')).shown).toContain(REFUSED);
  });

  it('is forgotten for good when it is deleted', async () => {
    const f = await forgotten('C0SECRET');
    f.slack.answers('views.update', {});
    expect((await f.attempt('U0ADMIN', 'delete 3')).shown).toContain(SECRET);
    const metadata = { uuid: uuidOf(3), number: 3, issueId: null, channel: 'C1' };
    await f.give({
      type: 'view_submission',
      team: { id: 'T1' },
      user: { id: 'U0ADMIN' },
      view: {
        id: 'V1',
        type: 'modal',
        callback_id: 'issue:delete',
        private_metadata: JSON.stringify(metadata),
        state: { values: {} },
      },
    });
    expect(f.service.issues.size).toBe(0);
    expect(await f.store.tombstones.byUuid(uuidOf(3))).toBeNull();
  });
});

it('where Slack does not say who is in a channel, an issue of it is for admins', async () => {
  const f = await forgetting();
  f.there(3, filedFrom('C0SECRET'));
  f.slack.answers('conversations.info', { ok: false, error: 'missing_scope' });
  f.slack.answers('conversations.members', { ok: false, error: 'fatal_error' });
  expect((await f.attempt('U0INSIDER', '3')).shown).toContain(REFUSED);
  expect((await f.attempt('U0ADMIN', '3')).shown).toContain(SECRET);
});

describe('the list', () => {
  /** The service's issues, newest first, ten a page. */
  async function paged(issues: readonly IssueSummary[]) {
    const f = await forgetting();
    const place = (uuid: string | undefined) => issues.findIndex((issue) => issue.uuid === uuid);
    f.service.client.issues.page = async ({ startingAfter, endingBefore }) => {
      const until = endingBefore === undefined ? issues.length : place(endingBefore);
      const from = endingBefore === undefined ? place(startingAfter) + 1 : Math.max(0, until - 10);
      const data = issues.slice(from, Math.min(until, from + 10));
      const more = endingBefore === undefined ? from + 10 < issues.length : from > 0;
      return { object: 'list', data, has_more: more };
    };
    const shown = () => f.sent.at(-1)?.text ?? '';
    const turn = async (name: 'nextIssues' | 'previousIssues') => {
      const pattern = new RegExp(`"action_id":"${actionIds[name]}","value":("(?:[^"\\\\]|\\\\.)*")`, 'u');
      const value = pattern.exec(JSON.stringify(f.bodies.at(-1)))?.[1];
      if (value === undefined) return null;
      await f.press(name, JSON.parse(value));
      return shown();
    };
    return { ...f, shown, turn };
  }
  const numbered = (from: number, to: number, describe: (n: number) => string) =>
    Array.from({ length: from - to + 1 }, (_, i) => listed(from - i, describe(from - i)));
  const numbers = (from: number, to: number, step = 1) =>
    `Issues: ${Array.from({ length: Math.floor((from - to) / step) + 1 }, (_, i) => `#${from - i * step}`).join(', ')}`;

  it('has full pages of what may be shown, forwards and backwards', async () => {
    const hidden = (n: number) => n % 2 === 1 || (n > 20 && n < 60);
    const f = await paged(numbered(100, 1, (n) => (hidden(n) ? filedFrom('C0SECRET') : 'It is slow')));
    await f.issue('list');
    expect(f.shown()).toBe(numbers(100, 82, 2));
    const second = `${numbers(80, 60, 2)}`.split(', ').slice(0, 10).join(', ');
    expect(await f.turn('nextIssues')).toBe(second);
    expect(await f.turn('nextIssues')).toBe(`Issues: #60, ${numbers(20, 4, 2).slice('Issues: '.length)}`);
    expect(await f.turn('previousIssues')).toBe(second);
    expect(JSON.stringify(f.bodies)).not.toMatch(/Zanzibar \d*[13579]\b/u);
  });

  it.each(['It is slow …', 'It is slow...', ''])(
    'looks at an issue itself where its description may be cut: “%s”',
    async (cut) => {
      const f = await paged([listed(3, cut), listed(4, cut), listed(5, cut)]);
      f.there(3, filedFrom('C0SECRET'));
      f.there(4, `${cut || 'It is slow'} and that is all`);
      // The fifth cannot be looked at.
      await f.issue('list');
      expect(f.shown()).toBe('Issues: #4');
    },
  );

  it('asks Slack once for each channel and person within a minute', async () => {
    const f = await paged(numbered(10, 1, () => filedFrom('C0SECRET')));
    await f.issue('list', { user_id: 'U0INSIDER' });
    await f.issue('list', { user_id: 'U0INSIDER' });
    const asked = f.slack.methods().filter((method) => method.startsWith('conversations.'));
    expect(asked).toEqual(['conversations.info', 'conversations.members']);
    expect(f.shown()).toBe(numbers(10, 1));
  });
});
