import { afterEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { corpusMessage, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Mode, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

describe.each<Mode>(['socket', 'http'])('an alert in a channel, over %s', (mode) => {
  let around: Surroundings;
  let bot: Bot;

  afterEach(async () => {
    await bot.stop();
    await around.close();
  });

  it('becomes an investigated thread that answers questions', async () => {
    around = await startSurroundings(mode);
    bot = await startBotOn(around);
    const { workspace } = around;
    const alerts = workspace.channels.alerts;

    const { ts } = await workspace.post(corpusMessage('alertmanager', 'alertmanager-default-firing'));
    const root = () => workspace.messages(alerts).find((message) => message.ts === ts);
    const thread = () => repliesTo(around, ts);

    await until('the alert has its reaction', () => root()?.reactions?.length);
    const card = await until('its card is in the thread', () => thread()[0]);
    expect(wordsOf(card)).toContain('HighErrorRate · checkout-api');

    const verdict = await until('the results follow the card', () => thread()[1]);
    expect(wordsOf(verdict)).toMatch(/root cause: Bad deploy of payments/);
    expect(wordsOf(verdict)).toContain('Evidence');
    expect(wordsOf(verdict)).toContain('Ruled out');
    expect(thread().map(wordsOf).join('\n')).toMatch(/roll(ed)? ?back/i);
    await until('the alert shows that a cause was found', () => {
      const names = (root()?.reactions ?? []).map(({ name }) => name);
      return names.includes('mag_right') && !names.includes('eyes');
    });
    await until('the card shows the new status', () => /Ready to fix/.test(wordsOf(thread()[0] ?? card)));

    const said = (from: string) => thread().filter((m) => m.user === from).length;
    const before = said(workspace.botUserId);
    await workspace.post({
      channel: alerts,
      user: 'U0ALICE001',
      thread_ts: ts,
      text: `<@${workspace.botUserId}> why is checkout failing?`,
    });
    const answer = await until('the agent answers', () => {
      const last = thread().at(-1);
      return said(workspace.botUserId) > before && last && /payments/.test(wordsOf(last)) ? last : null;
    });
    expect(wordsOf(answer)).not.toContain('thinking');

    await workspace.post({ channel: alerts, user: 'U0BOB00001', thread_ts: ts, text: 'and since when?' });
    await until('the same conversation goes on without a mention', () => {
      const last = thread().at(-1);
      return said(workspace.botUserId) > before + 1 && last && /[Ss]ince \d\d:\d\d UTC/.test(wordsOf(last));
    });

    expect(thread().filter((m) => m.user === workspace.botUserId)).toHaveLength(before + 2);
    expect(workspace.messages(alerts)).toHaveLength(1);
  });
});
