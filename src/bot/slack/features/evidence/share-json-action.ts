import { rawJsonIntent } from '../../../store/intents/issue-intents.ts';
import type { Register } from '../../listening/deps.ts';
import { shownEntry } from './evidence-modal.ts';
import { onEvidenceModal } from './on-evidence-modal.ts';
import { evidenceSubject } from './subject.ts';

/** *Get the raw JSON*: uploads the file to the thread, once. */
export const rawJson: Register = onEvidenceModal('rawJson', async (place, _index, deps) => {
  const subject = await evidenceSubject(place, deps);
  const entry = subject && shownEntry(subject, place);
  if (!subject?.thread || !entry) return place;
  if ((await deps.store.artifacts.get(place.owner, entry.id))?.state !== 'kept') return place;
  const { thread, issueId } = subject;
  const artifact = { owner: place.owner, id: entry.id };
  await deps.store.transaction(async (tx) => {
    const intent = rawJsonIntent(artifact, thread, issueId, deps.clock.now());
    if ((await tx.outbox.get(intent.key)) === null) await tx.outbox.want(intent);
  });
  return place;
});
