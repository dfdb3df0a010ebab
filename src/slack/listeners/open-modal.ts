import type { RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { cameTooLate } from '../../render/notices.ts';
import { classifySlackError } from '../errors.ts';
import type { ListenerDeps } from './deps.ts';
import { tellPerson } from './tell.ts';

/** The trigger lives three seconds, and once; what is taken up after a restart comes too late. */
const LATE = new Set(['expired_trigger_id', 'trigger_expired', 'exchanged_trigger_id', 'trigger_exchanged']);

/** Opens a modal for the person who just did something; where it is too late for that, they are told in words. */
export async function openModal(
  triggerId: string,
  view: ModalView,
  respond: RespondFn,
  deps: Pick<ListenerDeps, 'client' | 'log'>,
): Promise<void> {
  try {
    await deps.client.views.open({ trigger_id: triggerId, view });
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused' || !LATE.has(failure.error)) throw error;
    await tellPerson(respond, cameTooLate(), deps);
  }
}
