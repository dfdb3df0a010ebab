/**
 * What the driver did, and so what must be true at the end. `once`: Slack said that it was taken, or sends it until it
 * is. `at most once`: the person was told that it failed, though it may have been stored just before.
 */
export type Certainty = 'once' | 'at most once';

interface Deed {
  certainty: Certainty;
  /** When it was done, in milliseconds of the environment's clock. */
  at: number;
}

/** One message of a monitoring tool. */
export interface Posted {
  kind: 'fires' | 'recovers';
  channel: string;
  ts: string;
  at: number;
}

/** An alert identity with everything that was said of it, in its order. */
export interface Problem {
  /** In no other problem's title. */
  name: string;
  tool: number;
  posts: Posted[];
  /** One of its messages was edited into a recovery: nothing more is said of it. */
  edited: boolean;
  /** Somebody deleted its issue: another one may be filed for it since. */
  deleted: boolean;
}

/** A question, known by its words. */
export interface Asked extends Deed {
  words: string;
  channel: string;
  /** Where a reply to its answer goes; `null` where the answer starts the thread. */
  threadTs: string | null;
}

/** What a person wants investigated, known by a word that is in its title alone. */
export interface Wanted extends Deed {
  word: string;
}

/** A step of a checklist that somebody ticked, or took back: the value of the button. */
export interface Ticked extends Deed {
  value: string;
}

/** What somebody made of an issue: the id that its buttons bear. */
export interface Steered extends Deed {
  issueId: string;
  status: string;
}

/** Somebody deleted an issue for good. */
export interface Deleted extends Deed {
  issueId: string;
}

/** What somebody thinks of results: the value of the button. */
export interface Voted extends Deed {
  who: string;
  value: string;
}

/** Somebody wants an issue investigated once more. */
export interface Again extends Deed {
  issueId: string;
}

/** A kill, and the steps that the program came by last. */
export interface Kill {
  at: number;
  how: string;
  lastSteps: string[];
}

export interface Ledger {
  /** Faults may cut an answer off for good: then it says so, and that is its one answer. */
  mayBreakOff?: boolean;
  problems: Problem[];
  asked: Asked[];
  wanted: Wanted[];
  ticked: Ticked[];
  unticked: Ticked[];
  voted: Voted[];
  deleted: Deleted[];
  /** Who opened their Home. */
  homes: Set<string>;
  steered: Steered[];
  again: Again[];
  kills: Kill[];
  /** Every deed in words, for whoever has to find out what went wrong. */
  story: { at: number; what: string }[];
}

export function emptyLedger(): Ledger {
  return {
    problems: [],
    asked: [],
    wanted: [],
    ticked: [],
    unticked: [],
    voted: [],
    deleted: [],
    homes: new Set(),
    steered: [],
    again: [],
    kills: [],
    story: [],
  };
}
