import { z } from 'zod';
import type { actionIds } from '../../../render/action-ids.ts';
import type { EvidencePlace } from '../../../render/evidence/evidence-modal.ts';
import { notAllowed, notThere, windowIsStale } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';
import { onModalNumber } from '../../listening/on-modal-number.ts';
import { completeEvidence, evidencePage, updateView } from './evidence-modal.ts';
import { mayRead } from './subject.ts';

const Place = z.object({ owner: z.string(), version: z.number(), index: z.number(), channel: z.string() });

/** A listener for the buttons and menus of the evidence modal, which turn to another page. */
export function onEvidenceModal(
  name: keyof typeof actionIds,
  next: (place: EvidencePlace, chosen: number, deps: ListenerDeps) => Promise<EvidencePlace>,
): Register {
  return onModalNumber(name, async ({ view, chosen, userId }, deps) => {
    const opened = { id: view.id, hash: '' };
    const refusal = await deps.people.refusal(userId);
    if (refusal) return void (await updateView(opened, sentenceModal(notAllowed(refusal)), deps));
    const refuse = (why: Rendered) => updateView(opened, sentenceModal(why), deps);
    const remembered = readModalState(Place, view.private_metadata);
    if (remembered === null) return void (await refuse(windowIsStale()));
    if (!(await mayRead(remembered, userId, deps))) return void (await refuse(notThere()));
    const place = await next(remembered, chosen, deps);
    const { modal, awaited } = await evidencePage(place, deps);
    const shown = await updateView(opened, modal, deps);
    if (awaited && shown !== null) await completeEvidence(place, shown, deps);
  });
}
