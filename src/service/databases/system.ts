import type { DatabaseFact } from './fact.ts';
import type { Fingerprint, Taken } from './fingerprint.ts';
import type { Session } from './session.ts';
import type { DatabaseSettings } from './settings.ts';

/** A kind of database or broker: one file, and a line in `databases.ts`. */
export interface System {
  /** Connects with the account of the settings. Whatever it throws passes `refusedBy` if it is no `Refused` already. */
  open(settings: DatabaseSettings, session: Session): Promise<Opened>;
}

/** One connection, within the limits of its session. */
export interface Opened {
  /** What it is, what its account lacks, and whether it may write: for `npm run doctor`. */
  check(): Promise<DatabaseHealth>;
  /** What is wrong inside, in any order. */
  look(before: Looked): Promise<Inside>;
  /** What changes rarely, and the counters that the next look compares with. */
  fingerprint(): Promise<Taken>;
  /** Ends the connection; never rejects. */
  close(): Promise<void>;
}

export interface Looked {
  /** The newest fingerprint before; `null` if there is none. */
  earlier: Fingerprint | null;
  now: number;
}

export interface Inside {
  facts: DatabaseFact[];
  /** What could not be read, a sentence each with what would allow it. */
  unread: string[];
  /** What was looked at, in a few words each: `locks`, `connections` … Only what is here may be called well. */
  read: string[];
  /** Who is connected, the most connections first. */
  connected: Connected[];
}

/** Connections of one program, by what they do. */
export interface Connected {
  who: string;
  connections: number;
  doing: string;
}

export interface DatabaseHealth {
  /** `PostgreSQL 15.14`. */
  version: string;
  /** The right, and the statement that grants it. */
  missing: { what: string; grant: string }[];
  /** Why the account may write, in words; `null` if it may not. */
  writes: string | null;
}
