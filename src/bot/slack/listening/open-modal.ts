import type { RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { cameTooLate } from '../../render/notices.ts';
import { classifySlackError } from '../errors.ts';
import type { ListenerDeps } from './deps.ts';
import { tellPerson } from './tell.ts';

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
  deps: Pick<ListenerDeps, 'client' | 'log'>,
): Promise<void> {
  if (!(await opensInTime(triggerId, view, deps))) await tellPerson(respond, cameTooLate(), deps);
}

/** Opens a modal without a message to fall back on; false if it is too late. */
export async function opensInTime(
  triggerId: string,
  view: ModalView,
  deps: Pick<ListenerDeps, 'client'>,
): Promise<boolean> {
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
  { client }: Pick<ListenerDeps, 'client'>,
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
