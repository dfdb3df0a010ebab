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
  /** Whatever goes on at a moment ends then. */
  endAt(now: number): void;
  /** What goes on at `now` and began before `olderThan` began at `from` instead. */
  renew(times: { now: number; olderThan: number; from: number }): void;
}

/** Faults that a scenario put into the shop. They are read for every sample, so they are held in memory too. */
export function createFaultStore(db: Connection): FaultStore {
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
  };
}
