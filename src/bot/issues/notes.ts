import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store/open.ts';

/** As long as Slack lets a command be. */
export const MAX_NOTE = 3_000;

/** What somebody does with the notes of an issue; `number` is the note's. */
export type NoteChange =
  | { do: 'add'; text: string }
  | { do: 'edit'; number: number; text: string }
  | { do: 'delete'; number: number };

/** Whose note, of which issue; `cause` is the same when its stored delivery is handled again. */
interface NoteAuthor {
  issueId: string;
  who: string;
  cause: string;
}

/**
 * Adds a note, or changes one of the author's own.
 *
 * @returns its number; `null` if that person has no such note
 */
export function changeNote(
  { issueId, who, cause }: NoteAuthor,
  change: NoteChange,
  { store, clock }: { store: Store; clock: Clock },
): Promise<number | null> {
  return store.transaction(async (tx) => {
    const at = clock.now();
    const number = change.do === 'add' ? null : change.number;
    const own = { issueId, who, number: number ?? 0 };
    const done =
      change.do === 'add'
        ? await tx.notes.add({ issueId, who, text: change.text, at, cause })
        : (change.do === 'edit' ? await tx.notes.rewrite(own, change.text, at) : await tx.notes.remove(own))
          ? number
          : null;
    if (done === null) return null;
    const did = { add: 'wrote', edit: 'edited', delete: 'deleted' } as const;
    await tx.audit.add({ at, who, what: `${did[change.do]} note ${done}`, issueId });
    await tx.outbox.refreshCards(issueId);
    return done;
  });
}
