import { isDeepStrictEqual } from 'node:util';
import type { PageMessage } from 'local-slack';
import { expect } from 'vitest';
import { z } from 'zod';
import { wordsOf } from './alerts.ts';
import type { Surroundings } from './program.ts';
import { until } from './until.ts';

export const ALICE = 'U0ALICE001';
export const BOB = 'U0BOB00001';
export const CAROL = 'U0CAROL001';
/** A guest. */
export const GINA = 'U0GINA0001';
/** Of another organization. */
export const EVE = 'U0EVE00001';
/** Alice's direct messages with the bot. */
export const ALICES_DM = 'D0ALICE001';

/** A place in Slack: a thread, by its root. */
export interface Thread {
  channel: string;
  ts: string;
}

const Button = z.looseObject({
  action_id: z.string(),
  value: z.string().optional(),
  options: z.array(z.looseObject({ value: z.string() })).optional(),
});
const Row = z.looseObject({
  block_id: z.string().optional(),
  elements: z.array(z.unknown()).optional(),
  accessory: z.unknown().optional(),
});
const Block = Row.extend({ child_blocks: z.array(Row).default([]) });

/** The buttons of a message, with the block that each stands in. */
function buttonsOf(message: PageMessage) {
  const blocks = (message.blocks ?? []).map((raw) => Block.parse(raw));
  return blocks
    .flatMap((block): z.infer<typeof Row>[] => [block, ...block.child_blocks])
    .flatMap((block) => {
      const { block_id = '', elements = [], accessory } = block;
      return [...elements, accessory].flatMap((one) => {
        const { success, data } = Button.safeParse(one);
        return success ? [{ block_id, ...data }] : [];
      });
    });
}

export function hasButton(message: PageMessage, actionId: string): boolean {
  return buttonsOf(message).some(({ action_id }) => action_id === actionId);
}

/** What the bot said in a thread for everybody, beside its root; oldest first. */
export function postsIn(around: Surroundings, { channel, ts }: Thread): PageMessage[] {
  return around.workspace
    .messages(channel, ts)
    .filter((one) => one.ts !== ts && one.user === around.workspace.botUserId && !one.ephemeral_to);
}

/** What one person alone sees in a thread, and at a channel's top level. */
export function whisperedTo(around: Surroundings, who: string, { channel, ts }: Thread): string[] {
  const { workspace } = around;
  return [...workspace.messages(channel, ts), ...workspace.messages(channel)]
    .filter(({ ephemeral_to }) => ephemeral_to === who)
    .map(wordsOf);
}

/** Whether an answer has ended, one way or the other. */
export function isOver(message: PageMessage): boolean {
  return !message.streaming && (hasButton(message, 'vote:cast') || hasButton(message, 'answer:try-again'));
}

/** The message in a thread that says something, once it does. */
export function untilPosted(around: Surroundings, thread: Thread, words: string | RegExp) {
  return until(
    `${words} stands in the thread`,
    () => postsIn(around, thread).find((one) => matches(wordsOf(one), words)),
    () => postsIn(around, thread).map(wordsOf),
  );
}

/** The answer with these words, once it is over. */
export function untilAnswered(around: Surroundings, thread: Thread, words: string | RegExp) {
  return until(
    `${words} is the answer`,
    () => postsIn(around, thread).find((one) => isOver(one) && matches(wordsOf(one), words)),
    () => postsIn(around, thread).map(wordsOf),
  );
}

/**
 * Waits until the answers of a thread are exactly these, in this order. An earlier one may end later than one below it:
 * Slack takes few edits a second, and each answer waits for its own.
 */
export async function untilAnswers(
  around: Surroundings,
  thread: Thread,
  ...answers: string[]
): Promise<void> {
  const texts = (is: (message: PageMessage) => boolean) =>
    postsIn(around, thread)
      .filter(is)
      .map(({ text }) => text);
  await until(
    `the answers are ${answers.join(' | ')}`,
    () => isDeepStrictEqual(texts(isOver), answers),
    () => texts(() => true),
  );
}

function matches(text: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? text.includes(words) : words.test(text);
}

/** Presses a button under a message, as it stands now; of a menu, the first choice. */
export async function press(
  around: Surroundings,
  as: string,
  message: Pick<PageMessage, 'channel' | 'ts' | 'thread_ts'>,
  actionId: string,
): Promise<void> {
  const { channel, ts, thread_ts } = message;
  const now = around.workspace.messages(channel, thread_ts ?? ts).find((one) => one.ts === ts);
  const button = now && buttonsOf(now).find(({ action_id }) => action_id === actionId);
  if (!button)
    throw new Error(`there is no ${actionId} under ${now ? wordsOf(now) : 'a message that is gone'}`);
  const { block_id, action_id, value, options } = button;
  const [first] = options ?? [];
  const chosen = first === undefined ? { value } : { selected_option: first };
  const pressed = { as, channel, message_ts: ts, block_id, action_id, ...chosen };
  expect(await around.workspace.action(pressed)).toEqual({ ok: true });
}
