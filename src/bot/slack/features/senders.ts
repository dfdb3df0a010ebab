import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { type Answer, asRead, mapOf } from '../../alerts/senders/shown.ts';
import type { Deps } from '../../deps.ts';
import { issueIdOf } from '../../filing/reference.ts';
import { confirmSender, type KnownSender, senderNamed } from '../../filing/senders.ts';
import { sentenceModal } from '../../render/modal.ts';
import { windowIsStale } from '../../render/notices.ts';
import { CHOICES, pressedFor, senderField, senderModal } from '../../render/settings/senders.ts';
import { viewIds } from '../../render/view-ids.ts';
import { settingsRefused } from '../access/rights.ts';
import type { Register } from '../listening/feature.ts';
import { readModalState } from '../listening/modals.ts';
import { onButton, onSubmit, type Press } from '../listening/press.ts';

/** The settings' form, as far as its senders go. */
interface SettingsForm {
  /** Of its state: which channel it is about; `null` if it is none. */
  channelOf: (metadata: string) => string | null;
  /** Shows how the senders are read now; `values` is what was typed, if that is known. */
  refresh: (form: { id: string; metadata: string; values: unknown }, deps: Deps) => Promise<void>;
}

/** Which sender a form is about, its messages, and the parts of which a person said that they are the state. */
const About = z.object({
  channel: z.string(),
  id: z.string(),
  upTo: z.string(),
  states: z.array(z.string()).max(10),
  /** The settings' form below. */
  below: z.object({ id: z.string(), metadata: z.string() }),
});

const Values = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      selected_option: z.looseObject({ value: z.string() }).nullish(),
      selected_options: z.array(z.looseObject({ value: z.string() })).nullish(),
    }),
  ),
);

/** What is pressed under a sender in the settings' form, and the form in which a person corrects how it is read. */
export function senderListeners(
  settings: SettingsForm,
): Record<'confirmSender' | 'correctSender' | 'sender', Register> {
  const channelIn = ({ body: { view } }: Press) =>
    view?.callback_id === viewIds.settings ? settings.channelOf(view.private_metadata) : null;
  const underSender = (
    name: 'confirmSender' | 'correctSender',
    act: (
      pressed: { sender: KnownSender; channel: string; view: ViewOutput },
      press: Press,
      deps: Deps,
    ) => Promise<void>,
  ) => {
    const refused = async (press: Press, deps: Deps) => {
      const channel = channelIn(press);
      const why = channel === null ? null : await settingsRefused(press.userId, channel, deps);
      const view = sentenceModal(why ?? windowIsStale());
      if (press.body.view !== undefined)
        await deps.client.views.update({ view_id: press.body.view.id, view });
    };
    return onButton(
      name,
      async (press, deps) => {
        const channel = channelIn(press);
        const { view } = press.body;
        const [id = ''] = press.value.split(' ');
        const sender = channel === null ? null : await senderNamed(deps.store, { channel, id }, deps);
        if (sender === null || channel === null || view === undefined) await refused(press, deps);
        else await act({ sender, channel, view }, press, deps);
        return null;
      },
      {
        may: async (userId, press, deps) => {
          const channel = channelIn(press);
          return channel === null ? windowIsStale() : settingsRefused(userId, channel, deps);
        },
        refused,
      },
    );
  };
  return {
    confirmSender: underSender(
      'confirmSender',
      async ({ sender, channel, view }, { userId, cause, value }, deps) => {
        const made = mapOf(sender.sender, sender.kinds, sender.kinds.flatMap(asRead), sender.map);
        if ('wrong' in made) return;
        const word = { cause, channel, sender, map: made.map, by: userId };
        if (value === pressedFor(sender)) await deps.store.transaction((tx) => confirmSender(tx, word, deps));
        const { id, private_metadata: metadata, state } = view;
        await settings.refresh({ id, metadata, values: state.values }, deps);
      },
    ),
    correctSender: underSender('correctSender', async ({ sender, channel, view }, { triggerId }, deps) => {
      const below = { id: view.id, metadata: view.private_metadata };
      const about = { channel, id: sender.id, upTo: sender.upTo, states: [], below };
      const shown = senderModal(sender, { metadata: JSON.stringify(about), states: [] });
      await deps.client.views.push({ trigger_id: triggerId, view: shown });
    }),
    sender: onSubmit(
      'sender',
      {
        read: (text) => readModalState(About, text),
        may: (userId, { channel }, deps) => settingsRefused(userId, channel, deps),
      },
      async ({ userId, viewId, about, values }, deps) => {
        const { channel, states, below } = about;
        const sender = await senderNamed(deps.store, about, deps);
        if (sender === null) return { sentence: windowIsStale() };
        const chosen = chosenIn(sender, values, states);
        const split = chosen.flatMap(({ choice }) =>
          choice.startsWith(CHOICES.state) ? choice.slice(CHOICES.state.length) : [],
        );
        if (split.length > 0) {
          const more = { ...about, states: [...states, ...split] };
          const again = (await senderNamed(deps.store, more, deps)) ?? sender;
          return { view: senderModal(again, { metadata: JSON.stringify(more), states: more.states }) };
        }
        const made = mapOf(sender.sender, sender.kinds, chosen.flatMap(answerOf), sender.map);
        if ('wrong' in made)
          return {
            errors: Object.fromEntries(made.wrong.map((id) => [senderField('is', id, states), PARTS])),
          };
        const cause = issueIdOf('sender', viewId, JSON.stringify(made.map));
        const word = { cause, channel, sender, map: made.map, by: userId };
        await deps.checkpoint('settings: before store');
        await deps.store.transaction((tx) => confirmSender(tx, word, deps));
        return { later: () => settings.refresh({ ...below, values: null }, deps) };
      },
    ),
  };
}

const PARTS = 'Choose as many parts as in what it ends: they have to name the same.';

interface Chosen {
  id: string;
  choice: string;
  objects: string[];
}

function chosenIn({ kinds }: KnownSender, values: unknown, states: readonly string[]): Chosen[] {
  const fields = Values.safeParse(values).data ?? {};
  const chosen = (what: 'is' | 'objects', id: string) =>
    Object.values(fields[senderField(what, id, states)] ?? {})[0];
  return kinds.map(({ id, parts }) => {
    const keys = (chosen('objects', id)?.selected_options ?? []).map(({ value }) => value);
    const choice = chosen('is', id)?.selected_option?.value ?? CHOICES.open;
    return { id, choice, objects: keys.filter((key) => parts.some((part) => part.key === key)) };
  });
}

function answerOf({ id, choice, objects }: Chosen): Answer[] {
  if (choice === CHOICES.trouble || choice === CHOICES.noAlert) return [{ id, is: choice, objects }];
  if (!choice.startsWith(CHOICES.ends)) return [];
  return [{ id, is: { ends: choice.slice(CHOICES.ends.length).split(',') }, objects }];
}
