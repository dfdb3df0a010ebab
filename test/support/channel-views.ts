import type { PageMessage } from 'local-slack';
import { expect } from 'vitest';
import { wordsOf } from './alerts.ts';
import type { Surroundings } from './program.ts';
import { until } from './until.ts';

export const ALICE = 'U0ALICE001';
export const BOB = 'U0BOB00001';

type Where = keyof Surroundings['workspace']['channels'];
type Values = Parameters<Surroundings['workspace']['submit']>[0]['values'];

/** What a person sees and does in channels, threads and modals of the local workspace. */
export interface ChannelViews {
  /** The replies under a message, without the message. */
  thread(where: Where, ts: string): PageMessage[];
  /** Waits for a reply that says so. */
  seen(pattern: RegExp, where: Where, ts: string): Promise<PageMessage>;
  /** Presses a button of a reply; in a menu, the option that reads so. */
  press(where: Where, message: PageMessage, actionId: string, option?: RegExp, as?: string): Promise<void>;
  /** The modal that a person has open. */
  modal(as?: string): Promise<ReturnType<Surroundings['workspace']['views']>[number]>;
  /** Sends the modal off. */
  send(values: Values, as?: string): ReturnType<Surroundings['workspace']['submit']>;
}

export function channelViews({ workspace }: Surroundings): ChannelViews {
  const thread = (where: Where, ts: string) => workspace.messages(workspace.channels[where], ts).slice(1);
  const hint = (person: string) =>
    Object.values(workspace.channels)
      .flatMap((channel) => workspace.messages(channel))
      .filter((message) => message.ephemeral_to === person)
      .map(wordsOf);
  const modal = (as = BOB) =>
    until(
      'a window opens',
      () => workspace.views(as).at(-1),
      () => hint(as),
    );
  return {
    thread,
    seen: (pattern, where, ts) =>
      until(`somebody in #${where} sees ${pattern}`, () =>
        thread(where, ts).find((message) => pattern.test(wordsOf(message))),
      ),
    press: async (where, message, actionId, option, as = BOB) => {
      const isMeant = (one: { action_id: string }) => one.action_id === actionId;
      const block = (message.blocks ?? [])
        .map(Object)
        .find((one) => one.type === 'actions' && one.elements.some(isMeant));
      const element = block?.elements.map(Object).find(isMeant);
      const chosen = element?.options
        ?.map(Object)
        .find((one: { text: { text: string } }) => option?.test(one.text.text));
      const outcome = await workspace.action({
        as,
        channel: workspace.channels[where],
        message_ts: message.ts,
        block_id: block?.block_id,
        action_id: actionId,
        value: element?.value,
        ...(chosen ? { selected_option: { value: chosen.value } } : {}),
      });
      expect(outcome).toEqual({ ok: true });
    },
    modal,
    send: async (values, as = BOB) => {
      const { id } = await modal(as);
      return workspace.submit({ as, view_id: id, values });
    },
  };
}
