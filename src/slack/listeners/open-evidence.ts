import type { RespondFn } from '@slack/bolt';
import type { EvidencePlace } from '../../render/evidence-modal.ts';
import { cameTooLate } from '../../render/notices.ts';
import type { ListenerDeps } from './deps.ts';
import { completeEvidence, evidencePage } from './evidence-view.ts';
import { openedView } from './open-modal.ts';
import { tellPerson } from './tell.ts';

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
