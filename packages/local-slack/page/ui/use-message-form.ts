import { useState } from 'react';
import type { PageMessage } from '../../src/page-api.ts';
import { attachmentSchema } from '../blocks/attachment-schema.ts';
import { optionUse, type Use } from '../blocks/use.ts';
import type { Form } from '../modal/form.ts';
import type { ElementState } from '../modal/input-schema.ts';
import { isPicked } from '../modal/picked.ts';
import { valuesOf, withState } from '../modal/values.ts';
import { listKey } from '../model/lists.ts';
import { useDesk } from './desk.ts';

/** The value of an input on a message. */
function saidBy(state: ElementState): Use {
  if ('value' in state) return state.value === null ? {} : { value: state.value };
  if ('selected_options' in state) return { selected_options: state.selected_options.map(optionUse) };
  if (isPicked(state)) {
    const { type: _, ...held } = state;
    return held;
  }
  return state.selected_option === null ? {} : { selected_option: optionUse(state.selected_option) };
}

function blocksOf({ blocks = [], attachments = [] }: PageMessage): unknown[] {
  const attached = attachments.flatMap((one) => attachmentSchema.safeParse(one).data?.blocks ?? []);
  return [...blocks, ...attached];
}

/** What the person has ticked and chosen on a message; kept across its updates, and while another channel is open. */
export function useMessageForm(message: PageMessage): Form {
  const { as, held, click, suggest } = useDesk();
  const key = `${as}/${listKey(message.channel, message.ts)}`;
  const [kept, setKept] = useState(() => ({ message, values: valuesOf(blocksOf(message), held.get(key)) }));
  if (kept.message !== message) {
    setKept({ message, values: valuesOf(blocksOf(message), kept.values) });
  }
  return {
    values: kept.values,
    errors: {},
    change: (blockId, actionId, state) => {
      const values = withState(kept.values, blockId, actionId, state);
      held.set(key, values);
      setKept({ message, values });
    },
    dispatch: (block_id, action_id, state) => {
      void click(message, { block_id, action_id, ...saidBy(state) });
    },
    suggest: (block_id, action_id, value) =>
      suggest({ channel: message.channel, message_ts: message.ts, block_id, action_id, value }),
  };
}
