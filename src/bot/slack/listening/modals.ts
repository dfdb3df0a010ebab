import type { BlockAction, RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { decodeStored } from '../../../lib/decode-stored.ts';
import type { Deps } from '../../deps.ts';
import { actionIds } from '../../render/action-ids.ts';
import { cameTooLate } from '../../render/notices.ts';
import { classifySlackError } from '../errors.ts';
import type { Register } from './feature.ts';
import { notifyPerson } from './notify.ts';

/** The private metadata of modals about an issue. */
export const AboutIssue = z.object({ issueId: z.string(), channel: z.string() });

export const ChosenValues = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      value: z.string().nullish(),
      selected_option: z.looseObject({ value: z.string() }).nullish(),
    }),
  ),
);

/**
 * Parses the JSON that we stored in a modal or a button. It went through Slack, so it is untrusted: `null` if it does not
 * (or no longer) match the schema.
 */
export function readModalState<T>(schema: z.ZodType<T>, text: unknown): T | null {
  return typeof text === 'string' ? decodeStored(schema, text) : null;
}

/** A trigger works once, within three seconds: too late for a delivery that is handled after a restart. */
const LATE = new Set([
  'expired_trigger_id',
  'trigger_expired',
  'exchanged_trigger_id',
  'trigger_exchanged',
  'invalid_trigger_id',
]);

/** Opens a modal for the person who just did something, or tells them that it is too late. */
export async function openModal(
  triggerId: string,
  view: ModalView,
  respond: RespondFn,
  deps: Deps,
): Promise<void> {
  if (!(await opensInTime(triggerId, view, deps))) await notifyPerson(respond, cameTooLate(), deps);
}

/** Opens a modal without a message to fall back on; false if it is too late. */
export async function opensInTime(triggerId: string, view: ModalView, deps: Deps): Promise<boolean> {
  return (await openedView(triggerId, view, deps)) !== null;
}

/** An open modal. An update with its `hash` does nothing if the person has moved on. */
export interface OpenedView {
  id: string;
  hash: string;
}

/** The same, for a modal that will be updated; `null` if it is too late. */
export async function openedView(
  triggerId: string,
  view: ModalView,
  { client }: Deps,
): Promise<OpenedView | null> {
  try {
    const { view: opened } = await client.views.open({ trigger_id: triggerId, view });
    return { id: opened?.id ?? '', hash: opened?.hash ?? '' };
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused' || !LATE.has(failure.error)) throw error;
    return null;
  }
}

/** A number chosen in a modal: a page, a version, a position in a list. */
interface ModalChoice {
  view: NonNullable<BlockAction['view']>;
  chosen: number;
  userId: string;
}

const Chosen = z.looseObject({
  value: z.string().optional(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
});

/** A listener for buttons and menus in a modal whose values are numbers. */
export function onModalNumber(
  name: keyof typeof actionIds,
  act: (chosen: ModalChoice, deps: Deps) => Promise<void>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, action }) => {
        await ack();
        const { view } = body;
        const meant = Chosen.safeParse(action).data;
        const chosen = Number(meant?.selected_option?.value ?? meant?.value);
        if (view && Number.isSafeInteger(chosen)) await act({ view, chosen, userId: body.user.id }, deps);
      },
    );
  };
}
