import { describe, expect, it } from 'vitest';
import { addCreated, uuidOf } from '../../../../support/issues.ts';
import { filedFrom, forgetting, SECRET } from '../../support/forgotten.ts';

const HOME = 'C0SECRET';
const OTHER = 'C0ELSE';
const REFUSED = '#P1 is visible only to members of its channel and to admins.';
const DAY = 24 * 60 * 60_000;

type World = Awaited<ReturnType<typeof forgetting>>;

async function world(): Promise<World> {
  const w = await forgetting({ privateChannels: [HOME, OTHER] });
  await w.store.channels.learn('C1', false);
  await w.store.channels.learn(HOME, true);
  await w.store.channels.learn(OTHER, true);
  return w;
}

/** Its record was removed at the end of its retention. */
async function swept(): Promise<World> {
  const w = await world();
  const at = w.clock.now() - 100 * DAY;
  const over = { status: 'resolved', isOpen: false } as const;
  await addCreated(w.store, at, { id: 'old', channel: HOME, organization: 'private', ...over });
  await w.store.issues.rewrite('old', { watched: false });
  await w.store.transaction((tx) => tx.sweep.issues({ over: at + DAY, spent: at + DAY }, 200));
  expect(await w.store.issues.get('old')).toBeNull();
  expect(await w.store.tombstones.byUuid(uuidOf(1))).toMatchObject({
    channel: HOME,
    organization: 'private',
  });
  // Whatever has become of its words at the service.
  w.there(1, 'It is slow', {}, 'private');
  return w;
}

/** The database is lost: only the service knows the issue, and says where it was filed. */
async function lost(): Promise<World> {
  const w = await world();
  w.there(1, filedFrom(HOME), {}, 'private');
  return w;
}

describe.each([
  ['whose record was swept', swept],
  ['of a lost database', lost],
])('an issue of a private channel %s', (_what, made) => {
  it.each([
    ['somebody else', 'U1', 'C1', false],
    ['somebody else in another private channel', 'U1', OTHER, false],
    ['somebody in its channel', 'U2', HOME, true],
    ['a member elsewhere', 'U0INSIDER', 'C1', true],
    ['an admin', 'U0ADMIN', 'C1', true],
  ])('asked for by its number by %s', async (_who, user, channel, may) => {
    const w = await made();
    for (const text of ['P1', '#p1', 'results P1']) {
      const { shown } = await w.attempt(user, text, channel);
      expect({ text, shown: shown.includes(SECRET), refused: shown.includes(REFUSED) }).toEqual({
        text,
        shown: may,
        refused: !may,
      });
    }
    const { changed, changedPrivate } = await w.attempt(user, 'mute P1', channel);
    expect(changed).toEqual([]);
    expect(changedPrivate).toHaveLength(may ? 1 : 0);
    // Nothing about it was asked of the other organization.
    expect(w.service.calls).toEqual([]);
  });

  it('is listed in its channel, and in no other', async () => {
    const w = await made();
    expect((await w.attempt('U2', 'list', HOME)).shown).toContain('#P1');
    for (const channel of ['C1', OTHER]) {
      expect((await w.attempt('U2', 'list', channel)).shown).not.toMatch(/P1\b|Zanzibar/u);
    }
  });

  it('is not shown for the same number of the default organization', async () => {
    const w = await made();
    for (const user of ['U1', 'U0INSIDER', 'U0ADMIN']) {
      expect((await w.attempt(user, '1')).shown).not.toMatch(/P1\b|Zanzibar/u);
    }
  });
});

it('of the private organization, what was filed elsewhere is shown in private channels alone', async () => {
  const w = await world();
  w.there(1, 'It is slow', {}, 'private');
  expect((await w.attempt('U2', 'P1', OTHER)).shown).toContain(SECRET);
  expect((await w.attempt('U0ADMIN', 'P1', 'C1')).shown).not.toContain(SECRET);
});
