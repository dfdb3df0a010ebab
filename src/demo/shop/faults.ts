import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../../lib/io.ts';
import type { Window } from '../../service/telemetry/model.ts';
import { chance, pick } from './random.ts';

const KINDS = [
  'bad_deploy',
  'connection_pool',
  'slow_query',
  'memory_leak',
  'config_change',
  'disk_full',
  'certificate_expiry',
  'queue_backlog',
] as const;

/** What can go wrong in the shop. */
export type FaultKind = (typeof KINDS)[number];

/** Something that goes wrong at one service for a time; `from` and `to` in milliseconds since the epoch. */
export interface Fault {
  kind: FaultKind;
  service: string;
  from: number;
  to: number;
}

/** Where each kind can happen. */
export const FAULT_PLACES: Readonly<Record<FaultKind, readonly [string, ...string[]]>> = {
  bad_deploy: ['payments', 'checkout-api', 'inventory', 'catalogue', 'cart', 'web'],
  connection_pool: ['payments', 'checkout-api', 'inventory'],
  memory_leak: ['checkout-api', 'payments', 'cart', 'catalogue', 'search-indexer'],
  slow_query: ['orders-db', 'payments-db'],
  disk_full: ['orders-db', 'payments-db', 'search-indexer'],
  certificate_expiry: ['payments', 'inventory', 'cart', 'catalogue'],
  queue_backlog: ['order-worker', 'search-indexer'],
  config_change: ['payments', 'checkout-api', 'cart', 'catalogue', 'gateway'],
};

const MINUTE = 60_000;
const SLOT = 20 * MINUTE;

/**
 * The faults of the shop's own that touch the window: one in every slot of 20 minutes (counted from the
 * epoch), of rotating kind, from a minute or two into the slot until 13 to 15 minutes into it.
 */
export function seededFaults(seed: number, window: Window): Fault[] {
  const faults: Fault[] = [];
  for (let slot = Math.floor(window.from / SLOT); slot * SLOT < window.to; slot++) {
    const fault = faultOfSlot(seed, slot);
    if (fault.from < window.to && fault.to > window.from) faults.push(fault);
  }
  return faults;
}

function faultOfSlot(seed: number, slot: number): Fault {
  const offset = Math.floor(chance(seed, 'kind') * KINDS.length);
  const kind = KINDS[(slot + offset) % KINDS.length] ?? 'bad_deploy';
  return {
    kind,
    service: pick(FAULT_PLACES[kind], chance(seed, 'place', slot)),
    from: slot * SLOT + MINUTE + Math.floor(chance(seed, 'from', slot) * MINUTE),
    to: slot * SLOT + 13 * MINUTE + Math.floor(chance(seed, 'to', slot) * 2 * MINUTE),
  };
}

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

interface FaultStore {
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
