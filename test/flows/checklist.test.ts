import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
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

const Element = z.looseObject({
  action_id: z.string(),
  value: z.string().optional(),
  options: z.array(z.looseObject({ value: z.string() })).optional(),
});
const Block = z.looseObject({
  block_id: z.string().optional(),
  accessory: z.unknown().optional(),
  elements: z.array(z.unknown()).optional(),
  child_blocks: z.array(z.unknown()).optional(),
});

/** A block, and those that it holds. */
function withChildren(raw: unknown): unknown[] {
  return [raw, ...(Block.parse(raw).child_blocks ?? [])];
}

/** Every element of some messages that can be pressed for an action. */
function elements(messages: readonly PageMessage[], actionId: string) {
  return messages.flatMap((message) =>
    (message.blocks ?? []).flatMap(withChildren).flatMap((raw) => {
      const block = Block.parse(raw);
      return [block.accessory, ...(block.elements ?? [])].flatMap((one) => {
        const { success, data } = Element.safeParse(one);
        const { ts } = message;
        return success && data.action_id === actionId
          ? [{ ts, block_id: block.block_id ?? '', ...data }]
          : [];
      });
    }),
  );
}

type Pressable = ReturnType<typeof elements>[number];

function press({ ts, block_id, action_id, value, options }: Pressable, as: string) {
  return around.workspace.action({
    as,
    channel: around.workspace.channels.alerts,
    message_ts: ts,
    block_id,
    action_id,
    ...(options ? { selected_option: { value: options[0]?.value } } : { value }),
  });
}

/** The words of the card, which stands first in the thread. */
function card(thread: () => PageMessage[]): string {
  return thread().slice(0, 1).map(wordsOf).join('');
}

/** An alert whose results stand in its thread. */
async function investigated() {
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  const thread = () => repliesTo(around, ts);
  const words = () => thread().map(wordsOf).join('\n');
  await until('there is a checklist', () => elements(thread(), 'step:tick').length > 1);
  return { ts, thread, words };
}

describe('the checklist in the results', () => {
  it('counts what two people do at once, on the card too, and offers Resolve when all is done', async () => {
    const { thread, words } = await investigated();
    const [, first, second] = elements(thread(), 'step:tick');
    if (!first || !second) throw new Error('there are two steps at least');
    expect(await Promise.all([press(first, ALICE), press(second, BOB)])).toEqual([
      { ok: true },
      { ok: true },
    ]);
    await until('both are said to have done one', () => {
      const said = words();
      return said.includes(`_Done by <@${ALICE}>_`) && said.includes(`_Done by <@${BOB}>_`);
    });
    await until('the card says so', () => /2 of \d+ steps done/.test(card(thread)));
    const replies = thread().length;

    for (;;) {
      const [next] = elements(thread(), 'step:tick');
      if (!next) break;
      const left = elements(thread(), 'step:tick').length;
      await press(next, ALICE);
      await until('one fewer is left', () => elements(thread(), 'step:tick').length < left);
    }
    const results = () => thread().slice(1);
    const [resolve] = await until('Resolve is offered', () => {
      const found = elements(results(), 'issue:resolve');
      return found.length > 0 ? found : undefined;
    });
    if (resolve) await press(resolve, BOB);
    await until('the card says who resolved it', () => /Resolved/.test(card(thread)));
    await until('Resolve is gone', () => elements(results(), 'issue:resolve').length === 0);
    expect(thread()).toHaveLength(replies);
  });
});
