import type { Clock } from '../../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import { timeOfDay } from '../investigation/format.ts';
import type { ServiceLog } from '../log.ts';
import { partialSource } from '../telemetry/combined.ts';
import { type Change, known, type Service, type ServiceKind } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { Databases, NamedDatabase } from './databases.ts';
import { deedOf, type InsideChange } from './fingerprint.ts';

const KINDS: Readonly<Record<NamedDatabase['system'], ServiceKind>> = {
  postgres: 'database',
  mysql: 'database',
  redis: 'cache',
  rabbitmq: 'queue',
};

/** The configured databases as services, and what changed inside them; nothing is asked of them for that. */
export function createDatabasesSource(databases: Databases): TelemetrySource {
  return partialSource({
    name: 'databases',
    inside: databases,
    services: async () => known(databases.all.map(serviceOf)),
    changes: async (window) => known((await databases.changes(window)).map(changeOf)),
    // Readiness is asked every few seconds, and a database only where something leads to it.
    check: async () => ({
      name: 'databases',
      ok: true,
      summary: `${databases.all.length} databases and brokers are configured.`,
      details: [],
    }),
  });
}

/** What telemetry may call it: its address; a name that is no address of everybody's; the database within it. */
function serviceOf(one: NamedDatabase): Service {
  const { name, system, host, port, database } = one;
  const isName = /[a-z]/iu.test(host) && host !== 'localhost';
  return {
    name,
    kind: KINDS[system],
    aliases: [
      `${host}:${port}`,
      ...(isName ? [host] : []),
      ...(system === 'postgres' && database !== null ? [database] : []),
    ].filter((alias) => alias !== name),
    workload: null,
  };
}

/** A change of the inside as a change like any other, at the earliest time that it can have happened. */
export function changeOf(change: InsideChange): Change {
  const { database, part, after, before } = change;
  const deed = deedOf(change);
  return {
    at: after + 1,
    service: database,
    kind: part === 'setting' || part === 'role' || part === 'policy' ? 'config' : part,
    title: `In ${database}: ${deed} between ${timeOfDay(after)} and ${timeOfDay(before)}`,
    version: null,
    ref: null,
    url: null,
    details: null,
  };
}

const ROUND_MS = 60_000;

/** Takes the fingerprint of each database once an hour, by the clock of the store: replicas share it. */
export function createHourlyLook(
  databases: Databases,
  { clock, log }: { clock: Clock; log: ServiceLog },
): Worker {
  return createWorkerLoop({
    round: (signal) => databases.takeFingerprints(signal),
    rest: (signal) => clock.sleep(ROUND_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not look into the databases'),
  });
}
