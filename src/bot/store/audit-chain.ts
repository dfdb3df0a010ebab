import { createHash } from 'node:crypto';

/** An entry of the audit as the chain holds it. */
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

/** What the first entry is chained to. */
export const NO_HASH = '';

/** The hash of an entry: SHA-256, in hexadecimal, of all that it says and of the hash before it. */
export function hashOf({ seq, id, at, who, what, issueId, channel }: Link, before: string): string {
  const canonical = JSON.stringify([before, seq, id, at, who, what, issueId, channel]);
  return createHash('sha256').update(canonical).digest('hex');
}

export interface ChainCheck {
  /** Takes the entries in the order of `seq`. */
  add(entry: Link & { hash: string }): void;
  /**
   * @param head the last link, as it is stored apart; `null` if there is none
   * @returns the first thing that is wrong, as the rest of a sentence; `null` if the chain is whole
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
