import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

function inAlerts(): PageMessage[] {
  return around.workspace.messages(around.workspace.channels.alerts);
}

/** A reply to a message of #alerts, once somebody sees it. */
function reply(pattern: RegExp, ts: string): Promise<PageMessage> {
  const look = () => repliesTo(around, ts).find((message) => pattern.test(wordsOf(message)));
  return until(`somebody sees ${pattern}`, look);
}

/** Has #alerts only suggest, as a person does. */
async function suggestOnly(): Promise<void> {
  const { channels, command, views, submit } = around.workspace;
  await command({ as: ALICE, channel: channels.alerts, command: '/gumshoe', text: 'watch' });
  const { id } = await until('the settings open', () => views(ALICE).at(-1));
  const values = { mode: { mode: { selected_option: { value: 'suggest' } } } };
  expect(await submit({ as: ALICE, view_id: id, values })).toEqual({ ok: true });
}

async function press(message: PageMessage, as: string) {
  const buttons = (message.blocks ?? []).map(Object).find(({ type }) => type === 'actions');
  const [button] = buttons?.elements ?? [];
  return around.workspace.action({
    as,
    channel: around.workspace.channels.alerts,
    message_ts: message.ts,
    block_id: buttons?.block_id,
    action_id: button?.action_id,
    value: button?.value,
  });
}

const hasButton = (message: PageMessage) => JSON.stringify(message.blocks).includes('message:file');

describe('in a channel that only suggests', () => {
  it('a button is under the alert; whoever presses it files it, and its place says so', async () => {
    await suggestOnly();
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const suggestion = await reply(/suggest mode/, ts);
    expect(await press(suggestion, BOB)).toEqual({ ok: true });
    const said = await reply(/^Filed as #1 by <@U0BOB00001>\.$/m, ts);
    expect(said.ts).toBe(suggestion.ts);
    expect(hasButton(said)).toBe(false);
    await reply(/#1 HighErrorRate/, ts);
    await reply(/Results of/, ts);

    const again = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await reply(/[Ff]ired again/, ts);
    await reply(/^Counted toward/, again.ts);
    expect(repliesTo(around, again.ts)).toHaveLength(1);
  });

  it('an alert that recovers by itself loses its button, and gets it back when it fires again', async () => {
    await suggestOnly();
    const firing = alertmanagerAlert('DiskFull');
    const { ts } = await around.workspace.post(firing);
    await reply(/suggest mode/, ts);
    await around.workspace.post(JSON.parse(JSON.stringify(firing).replaceAll('[FIRING:1]', '[RESOLVED]')));
    expect(hasButton(await reply(/recovered on its own/, ts))).toBe(false);
    const again = await around.workspace.post(firing);
    expect(hasButton(await reply(/suggest mode/, ts))).toBe(true);
    expect(repliesTo(around, ts)).toHaveLength(1);
    expect(repliesTo(around, again.ts)).toEqual([]);
  });
});

describe('a person’s report', () => {
  it('is offered to its author alone, who files it', async () => {
    const text = 'prod is down! checkout returns 500 for everybody';
    const { ts } = await around.workspace.post({ channel: 'alerts', user: BOB, text });
    const offer = await until('the author is asked', () =>
      inAlerts().find((message) => /looks like an incident report/.test(wordsOf(message))),
    );
    expect(offer.ephemeral_to).toBe(BOB);
    expect(await press(offer, BOB)).toEqual({ ok: true });
    await reply(/#1 /, ts);
    await until('the offer is gone', () => !inAlerts().some(({ ephemeral_to }) => ephemeral_to === BOB));
  });
});
