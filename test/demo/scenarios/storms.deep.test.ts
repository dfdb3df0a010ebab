import { expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { tools } from '../../../src/demo/scenarios/tools/index.ts';
import { formatOf, NOTICES, playing } from './playing.ts';

const { play, newest } = playing();

it.each(tools.filter(({ id }) => !NOTICES.includes(id)))(
  '$name storms with a hundred problems',
  async ({ id }) => {
    await play(id, 'storm');
    const alerts = (await newest(100)).map(parseAlert);
    expect(new Set(alerts.map(({ format, kind }) => `${format} ${kind}`))).toEqual(
      new Set([`${formatOf(id)} firing`]),
    );
    expect(new Set(alerts.map(({ fingerprint }) => fingerprint)).size).toBe(100);
  },
);
