import type { RespondFn } from '@slack/bolt';
import type { EvidencePlace } from '../../../render/evidence/evidence-modal.ts';
import { cameTooLate } from '../../../render/notices.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { openedView } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { completeEvidence, evidencePage } from './evidence-modal.ts';

/** Opens a page of evidence with what the store has, since the trigger does not live long; then the rest follows. */
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
