import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../../lib/io.ts';
import type { Fault, FaultKind } from './faults.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS faults (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  service TEXT NOT NULL,
  startsAt INTEGER NOT NULL,
  endsAt INTEGER NOT NULL
) STRICT;`;

interface FaultRow {
  kind: FaultKind;
  service: string;
  startsAt: number;
  endsAt: number;
}

export interface FaultStore {
  add(fault: Fault): void;
  all(): Fault[];
  /** Whatever goes on at a moment ends then. */
  endAt(now: number): void;
  /** What goes on at `now` and began before `olderThan` began at `from` instead. */
  renew(times: { now: number; olderThan: number; from: number }): void;
  close(): void;
}

/**
 * Opens the faults that a scenario injected into the shop (`:memory:` works too). They are read for every sample, so they
 * are held in memory as well.
 */
export function openFaultStore(file: string): FaultStore {
  const onDisk = file !== ':memory:';
  if (onDisk) makeFolder(dirname(file), 0o700);
  const db = new Database(file);
  if (onDisk) chmodSync(file, 0o600);
  db.exec(SCHEMA);
  const insert = db.prepare<[FaultRow]>(
    'INSERT INTO faults (kind, service, startsAt, endsAt) VALUES (@kind, @service, @startsAt, @endsAt)',
  );
  const end = db.prepare<{ now: number }>(
    'UPDATE faults SET endsAt = @now WHERE startsAt <= @now AND endsAt > @now',
  );
  const renew = db.prepare<{ now: number; olderThan: number; from: number }>(
    'UPDATE faults SET startsAt = @from WHERE startsAt < @olderThan AND endsAt > @now',
  );
  const faults = db
    .prepare<[], FaultRow>('SELECT kind, service, startsAt, endsAt FROM faults ORDER BY id')
    .all()
    .map(({ kind, service, startsAt, endsAt }) => ({ kind, service, from: startsAt, to: endsAt }));
  return {
    add: ({ kind, service, from, to }) => {
      insert.run({ kind, service, startsAt: from, endsAt: to });
      faults.push({ kind, service, from, to });
    },
    all: () => faults,
    endAt: (now) => {
      end.run({ now });
      for (const fault of faults) if (fault.from <= now && fault.to > now) fault.to = now;
    },
    renew: ({ now, olderThan, from }) => {
      renew.run({ now, olderThan, from });
      for (const fault of faults) if (fault.from < olderThan && fault.to > now) fault.from = from;
    },
    close: () => db.close(),
  };
}
