import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const GINA = 'U0GINA0001';

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

interface Thumbs {
  block_id: string;
  element: { action_id: string; positive_button: { value: string }; negative_button: { value: string } };
}

/** The thumbs under a message; `null` where it has none. */
function thumbsOf(message: PageMessage): Thumbs | null {
  const block = (message.blocks ?? []).map(Object).find(({ type }) => type === 'context_actions');
  return block ? { block_id: block.block_id, element: block.elements[0] } : null;
}

async function vote(as: string, which: 'positive_button' | 'negative_button', message: PageMessage) {
  const thumbs = thumbsOf(message);
  expect(
    await around.workspace.action({
      as,
      channel: around.workspace.channels.alerts,
      message_ts: message.ts,
      block_id: thumbs?.block_id ?? '',
      action_id: thumbs?.element.action_id ?? '',
      value: thumbs?.element[which].value,
    }),
  ).toEqual({ ok: true });
}

it('results and answers are voted on, one vote a person, and the digest counts them', async () => {
  const { workspace } = around;
  const { alerts } = workspace.channels;
  const { ts } = await workspace.post(alertmanagerAlert('HighErrorRate'));
  const result = await until('the results have thumbs under them', () =>
    repliesTo(around, ts).find((message) => thumbsOf(message) !== null),
  );
  const said = (to: string, pattern: RegExp) =>
    until(`${to} is told ${pattern}`, () =>
      repliesTo(around, ts).find((message) => message.ephemeral_to === to && pattern.test(wordsOf(message))),
    );
  await vote(BOB, 'positive_button', result);
  await said(BOB, /Your 👍 is counted\./);
  await vote(BOB, 'positive_button', result);
  await said(BOB, /Your 👍 is already counted/);
  await vote(ALICE, 'positive_button', result);
  await said(ALICE, /Your 👍 is counted\./);
  await vote(ALICE, 'negative_button', result);
  await said(ALICE, /Your vote is now 👎/);
  await vote(GINA, 'negative_button', result);
  await said(GINA, /Guests cannot use Gumshoe/);

  await workspace.command({ as: BOB, channel: alerts, command: '/ask', text: 'which services are failing?' });
  const answer = await until('the answer is whole, and has thumbs', () =>
    workspace
      .messages(alerts)
      .find((message) => /which services are failing/.test(wordsOf(message)) && thumbsOf(message) !== null),
  );
  await vote(BOB, 'positive_button', answer);
  await until('that counts too', () =>
    workspace
      .messages(alerts, answer.ts)
      .find((message) => message.ephemeral_to === BOB && /👍 is counted\./.test(wordsOf(message))),
  );

  await workspace.command({ as: BOB, channel: alerts, command: '/gumshoe', text: 'digest now' });
  const digest = await until('the digest comes', () =>
    workspace.messages(alerts).find((message) => /📊 \*Digest\*/.test(wordsOf(message))),
  );
  expect(wordsOf(digest)).toContain('👍 2 · 👎 1');
});
