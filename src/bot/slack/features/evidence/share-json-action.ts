import type { Register } from '../../listening/deps.ts';
import { mayShowKept, rawJsonKey, shownEntry } from './evidence-modal.ts';
import { onEvidenceModal } from './on-evidence-modal.ts';
import { evidenceSubject } from './subject.ts';

/** *Get the raw JSON*: a file in the thread, once. */
export const rawJson: Register = onEvidenceModal('rawJson', async (place, _index, deps) => {
  const subject = await evidenceSubject(place, deps);
  const entry = subject && shownEntry(subject, place);
  if (!subject?.thread || !entry || !(await mayShowKept(place, subject, entry, deps))) return place;
  const { owner } = place;
  const key = rawJsonKey(owner, entry.id);
  const { thread, issueId } = subject;
  await deps.store.transaction(async (tx) => {
    if (await tx.outbox.get(key)) return;
    await tx.outbox.want({
      key,
      kind: 'file',
      ...thread,
      ...(issueId === null ? {} : { issueId }),
      payload: JSON.stringify({ file: 'artifact', owner, id: entry.id }),
      urgent: true,
      at: deps.clock.now(),
    });
  });
  return place;
});
