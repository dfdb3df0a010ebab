import type { RespondFn } from '@slack/bolt';
import type { EvidencePlace } from '../../../render/evidence/evidence-modal.ts';
import { cameTooLate } from '../../../render/notices.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { openedView } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { completeEvidence, evidencePage } from './evidence-modal.ts';

/** Opens the modal with what the store has, before the trigger expires, and loads the rest afterwards. */
export async function openEvidence(
  place: EvidencePlace,
  triggerId: string,
  respond: RespondFn,
  deps: ListenerDeps,
): Promise<void> {
  const { modal, awaited } = await evidencePage(place, deps);
  const view = await openedView(triggerId, modal, deps);
  if (view === null) return tellPerson(respond, cameTooLate(), deps);
  if (awaited && view.id !== '') await completeEvidence(place, view, deps);
}
