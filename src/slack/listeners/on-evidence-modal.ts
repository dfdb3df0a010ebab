import type { BlockAction } from '@slack/bolt';
import { z } from 'zod';
import { actionIds } from '../../render/action-ids.ts';
import type { EvidencePlace } from '../../render/evidence-modal.ts';
import { notAllowed } from '../../render/notices.ts';
import { sentenceModal } from '../../render/sentence-modal.ts';
import type { ListenerDeps, Register } from './deps.ts';
import { completeEvidence, evidencePage, updateView } from './evidence-view.ts';

const Place = z.object({ owner: z.string(), version: z.number(), index: z.number(), channel: z.string() });
const Chosen = z.looseObject({
  value: z.string().optional(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
});

/** A listener for what is pressed or chosen among the evidence: the modal goes on to another place. */
export function onEvidenceModal(
  name: keyof typeof actionIds,
  next: (place: EvidencePlace, chosen: number, deps: ListenerDeps) => Promise<EvidencePlace>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, action }) => {
        await ack();
        const { view } = body;
        const meant = Chosen.safeParse(action);
        const chosen = Number(meant.data?.selected_option?.value ?? meant.data?.value);
        if (!view || !Number.isSafeInteger(chosen)) return;
        const opened = { id: view.id, hash: '' };
        const refusal = await deps.people.refusal(body.user.id);
        if (refusal) return void (await updateView(opened, sentenceModal(notAllowed(refusal)), deps));
        const place = await next(Place.parse(JSON.parse(view.private_metadata)), chosen, deps);
        const { modal, awaited } = await evidencePage(place, deps);
        const shown = await updateView(opened, modal, deps);
        if (awaited && shown !== null) await completeEvidence(place, shown, deps);
      },
    );
  };
}
