import { z } from 'zod';
import { listening } from './listening.ts';

const View = z.looseObject({
  callback_id: z.string(),
  private_metadata: z.string(),
  submit: z.unknown().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })),
});
type View = z.infer<typeof View>;

export const TOOLS_ALERT = {
  type: 'message',
  ts: '10.000000',
  username: 'Tool',
  bot_id: 'B0TOOL',
  text: '[FIRING:1] disk is full',
};

/** Message shortcuts and modals of the app between a real store and a Slack that answers what the test says. */
export async function pickingShortcuts() {
  const l = await listening();
  l.slack.answers('views.open', { view: {} });
  /** Somebody picks a shortcut in a message's menu. */
  const pick = (callbackId: string, message: object = TOOLS_ALERT, more: Record<string, unknown> = {}) =>
    l.give({
      type: 'message_action',
      callback_id: callbackId,
      team: { id: 'T1', domain: 'acme' },
      user: { id: 'U1', name: 'alice' },
      channel: { id: 'C1', name: 'alerts' },
      message_ts: '10.000000',
      message,
      trigger_id: '1.2.3',
      response_url: 'http://127.0.0.1:9/expired',
      ...more,
    });
  const opened = (): View[] =>
    l.slack.calls
      .filter(({ method }) => method === 'views.open')
      .map(({ args }) => View.parse(JSON.parse(args.view ?? '')));
  /** Sends the newest modal off with its first values, but for these. */
  const submit = (values: Record<string, string | null> = {}, more: Record<string, unknown> = {}) => {
    const view = opened().at(-1);
    return l.give({
      type: 'view_submission',
      team: { id: 'T1' },
      user: { id: 'U1', name: 'alice' },
      trigger_id: '1.2.4',
      view: {
        id: 'V1',
        type: 'modal',
        callback_id: view?.callback_id,
        private_metadata: view?.private_metadata,
        state: { values: stateOf(view?.blocks ?? [], values) },
      },
      response_urls: [],
      ...more,
    });
  };
  return { ...l, pick, opened, submit };
}

const Input = z.looseObject({
  type: z.literal('input'),
  block_id: z.string(),
  element: z.looseObject({
    initial_value: z.string().optional(),
    initial_option: z.looseObject({ value: z.string() }).optional(),
  }),
});

/** What each input of a modal holds at first. */
export function valuesIn(blocks: readonly unknown[]): Record<string, string | null> {
  return Object.fromEntries(
    blocks.flatMap((block) => {
      const { success, data } = Input.safeParse(block);
      if (!success) return [];
      const { initial_value, initial_option } = data.element;
      return [[data.block_id, initial_option?.value ?? initial_value ?? null]];
    }),
  );
}

function stateOf(blocks: readonly unknown[], changed: Record<string, string | null>) {
  const values = { ...valuesIn(blocks), ...changed };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name === 'severity'
        ? { value: { type: 'static_select', selected_option: value === null ? null : { value } } }
        : { value: { type: 'plain_text_input', value } },
    ]),
  );
}
