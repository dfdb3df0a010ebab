import type { Connection } from '../database.ts';
import type { Fault, FaultKind } from '../shop/faults.ts';

interface FaultRow {
  kind: FaultKind;
  service: string;
  startsAt: number;
  endsAt: number;
}

export interface FaultStore {
  add(fault: Fault): void;
  all(): Fault[];
}

/** Faults that a scenario put into the shop. They are read for every sample, so they are held in memory too. */
export function createFaultStore(db: Connection): FaultStore {
  const insert = db.prepare<[FaultRow]>(
    'INSERT INTO faults (kind, service, startsAt, endsAt) VALUES (@kind, @service, @startsAt, @endsAt)',
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
  };
}
