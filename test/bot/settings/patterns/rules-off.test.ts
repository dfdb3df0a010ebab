import { describe, expect, it } from 'vitest';
import { renderPatternOff } from '../../../../src/bot/render/settings/pattern-off.ts';
import { deciding } from '../../../support/deciding.ts';
import { matcherHere } from '../../../support/matcher.ts';

const LARGE = '/(.{0,999}|.{0,998})#/';

async function told(d: Awaited<ReturnType<typeof deciding>>) {
  const rows = await d.store.outbox.due(d.clock.now() + 60_000, 50);
  return rows.filter(({ key }) => key.includes('pattern-off')).map(({ payload }) => JSON.parse(payload));
}

describe('a pattern that cannot be looked for', () => {
  it.each([
    ['slow', 'too_slow'],
    [LARGE, 'too_large'],
  ])(
    '(%s) is switched off, the channel is told once, and its alerts are decided on without it',
    async (pattern, why) => {
      const matcher = matcherHere(new Set(['slow']));
      await using d = await deciding({ matcher });
      await d.settings({ exclude: [pattern, 'disk'], include: [] });
      expect((await d.alert({ title: 'CPU is high', fingerprint: 'cpu' })).decision).toBe('filed');
      expect((await d.alert({ title: 'Disk is full', fingerprint: 'disk' })).reason).toBe(
        'the channel excludes alerts matching “disk”',
      );
      expect(await told(d)).toEqual([{ what: 'pattern_off', pattern, why, list: 'exclude' }]);
      expect(await d.store.channels.get('C1')).toMatchObject({ patternsOff: [pattern] });
      expect(matcher.tried.filter((one) => one === pattern)).toHaveLength(why === 'too_slow' ? 1 : 0);
    },
  );

  it('drops no alerts where it was the only one that let them in', async () => {
    await using d = await deciding({ matcher: matcherHere(new Set(['slow'])) });
    await d.settings({ include: ['slow'], exclude: [] });
    expect((await d.alert()).decision).toBe('filed');
    expect(await told(d)).toMatchObject([{ list: 'include' }]);
  });

  it('stays off while it stays in the settings, and is tried again once it was taken out and put in', async () => {
    await using d = await deciding({ matcher: matcherHere(new Set(['slow'])) });
    await d.settings({ include: ['slow'], exclude: [] });
    await d.alert({ fingerprint: 'a' });
    await d.settings({ include: ['slow', 'cpu'], exclude: [] });
    expect((await d.store.channels.get('C1')).patternsOff).toEqual(['slow']);
    await d.settings({ include: ['cpu'], exclude: [] });
    expect((await d.store.channels.get('C1')).patternsOff).toEqual([]);
  });
});

it('is decided on again where somebody sets other patterns while they are looked for', async () => {
  const matcher = matcherHere();
  let first = true;
  const d = await deciding({
    matcher: {
      ...matcher,
      match: async (patterns, subjects) => {
        if (first) {
          first = false;
          await d.settings({ include: [], exclude: ['cpu'] });
        }
        return matcher.match(patterns, subjects);
      },
    },
  });
  await using _ = d;
  await d.settings({ include: ['cpu'], exclude: [] });
  expect((await d.alert({ title: 'CPU is high' })).reason).toBe('the channel excludes alerts matching “cpu”');
});

it('the channel is told which pattern, what that means, and how to fix it', () => {
  const { text } = renderPatternOff({ pattern: '<!channel>', why: 'too_slow', list: 'include' });
  expect(text).toBe(
    '⚠️ I switched off a pattern in this channel’s settings: “&lt;!channel&gt;” took too long to match. It no longer limits what is filed; without another such pattern, every alert is filed. *Fix:* run `/gumshoe` here and replace it with a shorter or simpler one.',
  );
});

it('a long list is made ready one expression a turn, and only once', async () => {
  const matcher = matcherHere();
  let turns = 0;
  let isOver = false;
  const before: number[] = [];
  await using d = await deciding({
    matcher: {
      ...matcher,
      match: (patterns, subjects) => {
        before.push(turns);
        return matcher.match(patterns, subjects);
      },
    },
  });
  const exclude = Array.from({ length: 50 }, (_, i) => `/made ready [${i}-9]{0,3}${i}/`);
  await d.settings({ include: [], exclude });
  const watch = () => {
    turns += 1;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await d.alert({ fingerprint: 'a' });
  turns = 0;
  await d.alert({ fingerprint: 'b' });
  isOver = true;
  expect(before[0]).toBeGreaterThanOrEqual(50);
  expect(before[1]).toBeLessThan(50);
});
