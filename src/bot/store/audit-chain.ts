import { createHash } from 'node:crypto';

/** An audit entry as stored in the chain. */
export interface Link {
  /** From 1, without gaps. */
  seq: number;
  id: string;
  at: number;
  who: string;
  what: string;
  issueId: string | null;
  channel: string | null;
}

/** The "previous hash" of the first entry. */
export const NO_HASH = '';

/** The hash of an entry: SHA-256, in hexadecimal, of its fields and the previous hash. */
export function hashOf({ seq, id, at, who, what, issueId, channel }: Link, before: string): string {
  const canonical = JSON.stringify([before, seq, id, at, who, what, issueId, channel]);
  return createHash('sha256').update(canonical).digest('hex');
}

export interface ChainCheck {
  /** Takes the entries in the order of `seq`. */
  add(entry: Link & { hash: string }): void;
  /**
   * @param head the last link, which is stored separately; `null` if there is none
   * @returns the first fault found, as the rest of a sentence; `null` if the chain is intact
   */
  end(head: { seq: number; hash: string } | null): string | null;
}

/** Checks that no entry was changed, removed, added or moved. */
export function checkChain(): ChainCheck {
  let before = { seq: 0, hash: NO_HASH };
  let wrong: string | null = null;
  return {
    add: (entry) => {
      if (wrong !== null) return;
      if (entry.seq !== before.seq + 1) wrong = `entry ${before.seq + 1} is missing`;
      else if (entry.hash !== hashOf(entry, before.hash))
        wrong = `entry ${entry.seq} was changed, or put there`;
      before = entry;
    },
    end: (head) => {
      if (wrong !== null) return wrong;
      const expected = head ?? { seq: 0, hash: NO_HASH };
      if (expected.seq > before.seq)
        return `entries after ${before.seq} are missing: there were ${expected.seq}`;
      return expected.hash === before.hash ? null : `entry ${before.seq} is not the last that was written`;
    },
  };
}
