import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { tools } from '../../../src/demo/scenarios/tools/index.ts';
import { fixtures } from '../../bot/alerts/fixtures.ts';
import { formatOf, NOTICES, own, playing } from './playing.ts';

const withResolvedFixture = [...fixtures.values()]
  .filter(({ expected }) => expected.kind === 'resolved')
  .map(({ vendor }) => vendor);

const { play, newest, replies } = playing();

async function read(): Promise<Alert> {
  return parseAlert((await newest(1))[0]);
}

/** What the app understands when a tool says that its problem is over, wherever it says so. */
async function recovered(tool: string): Promise<Alert> {
  const [before] = await newest(1);
  await play(tool, 'recovers');
  const [after] = await newest(1);
  if (after?.ts !== before?.ts) return parseAlert(after);
  const messages = await replies(before?.ts ?? '');
  const reply = messages.at(-1);
  if (reply?.ts !== before?.ts) return parseAlert(reply);
  return parseAlert({
    type: 'message',
    subtype: 'message_changed',
    message: after,
    previous_message: before,
  });
}

/** The texts and numbers of a JSON value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf);
  return [String(value)];
}

describe('the tools whose alerts can be played', () => {
  it('are all that Gumshoe has a format of its own for, and others', () => {
    const played = new Set(tools.map(({ id }) => id));
    expect([...own].filter((name) => !played.has(name))).toEqual([]);
    expect(played.size).toBeGreaterThan(own.size);
  });

  const playable = [...fixtures.values()].filter((fixture) => fixture.playable);
  it.each(playable.map((fixture) => [fixture.name, fixture] as const))(
    'every word that is replaced in %s is in its message',
    (_, { message: { username, text, blocks, attachments }, playable: words = {} }) => {
      const texts = textsOf([username, text, blocks, attachments]);
      expect(Object.keys(words).filter((word) => !texts.some((one) => one.includes(word)))).toEqual([]);
    },
  );

  it.each(NOTICES)('%s tells what is no alert, and Gumshoe knows it', async (id) => {
    await play(id, 'fires');
    expect(await read()).toMatchObject({ format: id, kind: 'not_an_alert' });
  });

  describe.each(tools.filter(({ id }) => !NOTICES.includes(id)))('$name', ({ id, recovers }) => {
    it('fires, fires again and recovers as one problem', async () => {
      await play(id, 'fires');
      const first = await read();
      expect(first).toMatchObject({ format: formatOf(id), kind: 'firing' });
      await play(id, 'again');
      expect(await read()).toMatchObject({
        format: formatOf(id),
        kind: 'firing',
        fingerprint: first.fingerprint,
      });
      if (recovers === null) expect(withResolvedFixture).not.toContain(id);
      if (recovers === null)
        return expect(play(id, 'recovers')).rejects.toThrow(/does not report recoveries/);
      expect(await recovered(id)).toMatchObject({
        format: formatOf(id),
        kind: 'resolved',
        fingerprint: first.fingerprint,
      });
      await expect(play(id, 'recovers')).rejects.toThrow(/has no firing alert in this channel/);
    });
  });
});
