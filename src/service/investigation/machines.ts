import type { Measure, Series, Service } from '../telemetry/model.ts';
import type { Snapshot } from '../telemetry/view.ts';

/** What only something that does work of its own measures, and no exporter that runs beside it. */
const WORK: ReadonlySet<Measure> = new Set<Measure>([
  ...(['requests', 'errors', 'success', 'latency', 'queries'] as const),
  ...(['connections', 'waiting', 'queue', 'lag', 'cache-hits'] as const),
]);

/**
 * Gives the CPU and memory of a machine to the one service that runs there too, as its own: with nothing beside it, it is
 * who uses them. Exporters call them shared, whatever runs there. Where it is not known of every service on which machines
 * it runs, as of the pods of a cluster, no machine is known to have one service alone.
 */
export function withMachines(snapshot: Snapshot): Snapshot {
  const { services, series, recent, looked } = snapshot;
  const machines = new Set(series.filter(({ signal }) => signal.shared).map((one) => one.service));
  // Of what was not read, what runs there is not known either.
  if (machines.size === 0 || looked != null) return snapshot;
  const working = new Set(series.filter(({ signal }) => WORK.has(signal.measure)).map((one) => one.service));
  const placed = services.filter(({ name, kind }) => working.has(name) && kind !== 'external');
  if (placed.some(({ instances = [], workload }) => instances.length === 0 || workload !== null))
    return snapshot;
  const alone = new Map(
    services
      .filter(({ name }) => machines.has(name))
      .flatMap((machine) => {
        const hosts = hostsOf(machine);
        const [only, ...others] = placed.filter((one) => [...hostsOf(one)].some((host) => hosts.has(host)));
        return only === undefined || others.length > 0 ? [] : [[machine.name, only.name] as const];
      }),
  );
  const owned = (all: readonly Series[]) => all.flatMap((one) => ownedBy(alone, one, all));
  return { ...snapshot, series: owned(series), ...(recent && { recent: owned(recent) }) };
}

/** The series of a machine also as that of the service that has it to itself, unless that measures the same of itself. */
function ownedBy(alone: ReadonlyMap<string, string>, one: Series, all: readonly Series[]): Series[] {
  const service = alone.get(one.service);
  if (!one.signal.shared || service === undefined) return [one];
  const { measure } = one.signal;
  if (all.some((other) => other.service === service && other !== one && other.signal.measure === measure))
    return [one];
  const owned = { ...one, service, signal: { ...one.signal, shared: false } };
  return service === one.service ? [owned] : [one, owned];
}

/** The machines by which a service is known: `vm-1` of `vm-1:8080`. */
function hostsOf({ name, aliases, instances = [] }: Service): Set<string> {
  return new Set([name, ...aliases, ...instances].map((one) => one.replace(/:\d+$/u, '').toLowerCase()));
}
