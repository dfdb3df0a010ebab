import type { PageMessage, PageOutcome, Workspace } from 'local-slack';
import { z } from 'zod';

const Element = z.looseObject({
  action_id: z.string(),
  value: z.string().optional(),
  options: z.array(z.looseObject({ value: z.string() })).optional(),
  positive_button: z.looseObject({ value: z.string() }).optional(),
  negative_button: z.looseObject({ value: z.string() }).optional(),
});
const Folded = z.looseObject({ child_blocks: z.array(z.unknown()).optional() });
const Block = z.looseObject({
  block_id: z.string().optional(),
  accessory: z.unknown().optional(),
  elements: z.array(z.unknown()).optional(),
});

/** A button as it stands in a message, or a choice in a menu. */
export interface Button {
  channel: string;
  ts: string;
  block_id: string;
  action_id: string;
  value: string;
  inMenu: boolean;
}

/** The buttons of one action in some messages, its thumbs, and the choices of menus that it is the action of. */
export function buttonsIn(
  messages: readonly Pick<PageMessage, 'channel' | 'ts' | 'blocks'>[],
  actionId: string,
): Button[] {
  return messages.flatMap(({ channel, ts, blocks = [] }) =>
    blocks.flatMap(withChildren).flatMap((raw) => {
      const block = Block.parse(raw);
      return [block.accessory, ...(block.elements ?? [])].flatMap((one) => {
        const { success, data } = Element.safeParse(one);
        if (!success || data.action_id !== actionId) return [];
        const place = { channel, ts, block_id: block.block_id ?? '', action_id: actionId };
        const { options = [] } = data;
        const values = [data.value, data.positive_button?.value, data.negative_button?.value];
        return [
          ...values.flatMap((value) => (value === undefined ? [] : [{ ...place, value, inMenu: false }])),
          ...options.map((option) => ({ ...place, value: option.value, inMenu: true })),
        ];
      });
    }),
  );
}

/** A block and those that are folded in it. */
function withChildren(raw: unknown): unknown[] {
  return [raw, ...(Folded.parse(raw).child_blocks ?? [])];
}

export function press(workspace: Workspace, button: Button, as: string): Promise<PageOutcome> {
  const { ts, value, inMenu, ...rest } = button;
  return workspace.action({
    as,
    message_ts: ts,
    ...rest,
    ...(inMenu ? { selected_option: { value } } : { value }),
  });
}
