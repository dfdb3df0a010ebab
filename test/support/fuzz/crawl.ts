import { setTimeout as sleep } from 'node:timers/promises';
import type { PageMessage, Workspace } from 'local-slack';
import { z } from 'zod';

const ALICE = 'U0ALICE001';
const DM = 'D0ALICE001';

const Option = z.looseObject({ value: z.string() });
const Element = z.looseObject({
  type: z.string(),
  action_id: z.string(),
  block_id: z.string().optional(),
  value: z.string().optional(),
  options: z.array(Option).optional(),
});
type Element = z.infer<typeof Element>;

const Holder = z.looseObject({ block_id: z.string().optional() });

/** Everything in blocks that can be pressed or filled in, with the block that it stands in. */
function elementsIn(blocks: readonly unknown[], blockId = ''): (Element & { block_id: string })[] {
  return blocks.flatMap((raw) => {
    const holder = Holder.safeParse(raw);
    if (!holder.success) return [];
    const own = Element.safeParse(raw);
    const block = holder.data.block_id ?? blockId;
    const inner = Object.values(holder.data).flatMap((value) => (Array.isArray(value) ? value : [value]));
    const found = own.success ? [{ ...own.data, block_id: block }] : [];
    return [...found, ...elementsIn(inner, block)];
  });
}

function stateOf({ type, options }: Element): Record<string, unknown> {
  const [option] = options ?? [];
  if (/plain_text|number|email|url/u.test(type)) return { value: 'fuzz' };
  if (type === 'datepicker') return { selected_date: '2026-03-17' };
  if (type === 'timepicker') return { selected_time: '09:00' };
  if (/checkboxes|multi_static/u.test(type)) return { selected_options: option ? [option] : [] };
  return option ? { selected_option: option } : {};
}

/** Presses and sends off whatever there is, as a person would who tries everything once. */
export async function pressEverything(workspace: Workspace, done: Set<string>): Promise<void> {
  for (const message of ownMessages(workspace)) await pressMessage(workspace, message, done);
  const home = workspace.home(ALICE);
  if (home) await pressView(workspace, home.id, home.home.blocks, done);
  await closeModals(workspace, done);
}

function ownMessages(workspace: Workspace): PageMessage[] {
  const channels = [...Object.values(workspace.channels), DM];
  return channels.flatMap((channel) => {
    const top = workspace.messages(channel);
    const replies = top.flatMap(({ ts }) => workspace.messages(channel, ts).slice(1));
    return [...top, ...replies].filter(({ user }) => user === workspace.botUserId);
  });
}

async function pressMessage(workspace: Workspace, message: PageMessage, done: Set<string>): Promise<void> {
  const { channel, ts, blocks = [] } = message;
  for (const element of elementsIn(blocks)) {
    const { action_id, block_id, options = [] } = element;
    for (const option of options.length > 0 ? options : [undefined]) {
      const name = `${action_id} ${/^\w+(?=:)/u.exec(option?.value ?? '') ?? ''}`;
      if (done.has(name)) continue;
      done.add(name);
      const pressed = { as: ALICE, channel, message_ts: ts, block_id, action_id, value: element.value };
      await workspace.action(option ? { ...pressed, selected_option: option } : pressed);
      await closeModals(workspace, done);
    }
  }
}

async function pressView(
  workspace: Workspace,
  id: string,
  blocks: readonly unknown[],
  done: Set<string>,
): Promise<void> {
  for (const element of elementsIn(blocks)) {
    const { action_id, block_id } = element;
    if (done.has(action_id)) continue;
    const acted = { as: ALICE, view_id: id, block_id, action_id, state: stateOf(element) };
    if ((await workspace.viewAction(acted)).ok) done.add(action_id);
  }
}

/** The window on top, which opens a moment after it was asked for; `undefined` where none does. */
export async function windowOf(workspace: Workspace, looks = 12) {
  for (let tries = 0; tries < looks && workspace.views(ALICE).length === 0; tries += 1) await sleep(20);
  return workspace.views(ALICE).at(-1);
}

/** Tries what stands in the modals that are open, sends each off, and closes it where it stays open. */
export async function closeModals(workspace: Workspace, done: Set<string>): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const top = await windowOf(workspace);
    if (!top) return;
    const blocks = Array.isArray(top.modal.blocks) ? top.modal.blocks : [];
    await pressView(workspace, top.id, blocks, done);
    const values: Record<string, Record<string, Record<string, unknown>>> = {};
    for (const element of elementsIn(blocks)) {
      values[element.block_id] = { ...values[element.block_id], [element.action_id]: stateOf(element) };
    }
    await workspace.submit({ as: ALICE, view_id: top.id, values });
    if (workspace.views(ALICE).some(({ id }) => id === top.id)) {
      await workspace.closeView({ as: ALICE, view_id: top.id });
    }
  }
}
