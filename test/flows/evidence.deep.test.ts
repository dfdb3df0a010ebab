import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';

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

const Option = z.looseObject({ value: z.string(), text: z.looseObject({ text: z.string() }) });
const Element = z.looseObject({
  action_id: z.string(),
  value: z.string().optional(),
  option_groups: z
    .array(z.looseObject({ label: z.looseObject({ text: z.string() }), options: z.array(Option) }))
    .optional(),
});
const Block = z.looseObject({
  block_id: z.string().optional(),
  elements: z.array(z.unknown()).optional(),
  accessory: z.unknown().optional(),
});

/** What can be pressed for an action among some blocks. */
function pressable(blocks: readonly unknown[], actionId: string) {
  return blocks.flatMap((raw) => {
    const { block_id = '', elements = [], accessory } = Block.parse(raw);
    return [...elements, accessory].flatMap((one) => {
      const { success, data } = Element.safeParse(one);
      return success && data.action_id === actionId ? [{ block_id, ...data }] : [];
    });
  });
}

/** The first button for an action under the messages of a thread, once it is there. */
async function buttonIn(thread: () => PageMessage[], actionId: string) {
  return until(`there is ${actionId}`, () =>
    thread()
      .flatMap(({ ts, blocks }) => pressable(blocks ?? [], actionId).map((one) => ({ ts, ...one })))
      .at(-1),
  );
}

function press({ ts, block_id, action_id, value }: Awaited<ReturnType<typeof buttonIn>>) {
  const channel = around.workspace.channels.alerts;
  return around.workspace.action({ as: ALICE, channel, message_ts: ts, block_id, action_id, value });
}

function open() {
  return around.workspace.views(ALICE).at(-1);
}

/** What the open modal says. */
function shown(): string {
  return JSON.stringify(open()?.modal.blocks ?? []);
}

function turn(actionId: string, chosen?: string) {
  const view = open();
  const [element] = pressable(view?.modal.blocks ?? [], actionId);
  if (!view || !element) throw new Error(`nothing to press for ${actionId}`);
  const { block_id, action_id } = element;
  return around.workspace.viewAction({
    as: ALICE,
    view_id: view.id,
    block_id,
    action_id,
    ...(chosen === undefined ? {} : { state: { selected_option: { value: chosen } } }),
  });
}

describe('the evidence of an investigation', () => {
  it('opens from the results, is paged through, and comes as a file', async () => {
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const thread = () => repliesTo(around, ts);
    await until('a chart stands in the results', () =>
      thread().some(({ blocks }) => JSON.stringify(blocks ?? []).includes('data_visualization')),
    );
    expect(await press(await buttonIn(thread, 'issue:evidence'))).toEqual({ ok: true });
    await until('it is open', () => /1 of \d+/u.test(shown()));
    const total = Number(/1 of (\d+)/u.exec(shown())?.[1]);
    expect(total).toBeGreaterThan(2);
    expect(open()?.modal.title.text).toMatch(/^Evidence of #\d+$/u);

    const [jump] = pressable(open()?.modal.blocks ?? [], 'evidence:jump');
    expect(jump?.option_groups?.[0]?.label.text).toBe('Evidence');
    const all = jump?.option_groups?.flatMap(({ options }) => options) ?? [];
    expect(all.map(({ value }) => value)).toEqual(Array.from({ length: total }, (_, index) => String(index)));

    const metrics: number[] = [];
    for (let page = 2; page <= total; page++) {
      expect(await turn('evidence:on')).toEqual({ ok: true });
      await until(`page ${page} is shown`, () => shown().includes(`${page} of ${total}`));
      await until('it is there whole', () => shown().includes('from Demo'));
      if (shown().includes('metric · from')) metrics.push(page - 1);
    }
    expect(await turn('evidence:back')).toEqual({ ok: true });
    await until('the page before is shown', () => shown().includes(`${total - 1} of ${total}`));

    const metric = metrics[0] ?? -1;
    expect(await turn('evidence:jump', String(metric))).toEqual({ ok: true });
    await until('that one is shown', () => shown().includes(`${metric + 1} of ${total}`));
    expect(shown()).toMatch(/highest \*|throughout/u);

    expect(await turn('evidence:json')).toEqual({ ok: true });
    const file = await until('the file is in the thread', () =>
      around.workspace.files().find(({ name }) => /^metric-.*\.json$/u.test(name)),
    );
    const bytes = around.workspace.fileBytes(file.id)?.toString() ?? '{}';
    expect(JSON.parse(bytes)).toMatchObject({ type: 'metric', data: { dataPoints: expect.any(Array) } });
    expect(shown()).toContain('posted in the thread');
  });

  it('that an answer found is shown too', async () => {
    const channel = around.workspace.channels.alerts;
    const asked = { as: ALICE, channel, command: '/ask', text: 'why is checkout slow?' };
    expect(await around.workspace.command(asked)).toMatchObject({ ok: true });
    const everything = () => around.workspace.messages(channel);
    expect(await press(await buttonIn(everything, 'answer:artifact:0'))).toEqual({ ok: true });
    await until('it is shown whole', () => /Also found/u.test(shown()) && shown().includes('from Demo'));
    expect(open()?.modal.title.text).toBe('Evidence');
  });
});
