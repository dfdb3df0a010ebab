import type { Measure, Service } from '../telemetry/model.ts';
import type { Snapshot, View } from '../telemetry/view.ts';
import { type Anomaly, profileOf } from './anomalies.ts';
import { climbOf } from './climb.ts';
import { exhaustedAt, type Hypothesis } from './hypothesis.ts';

/** What only something that does work of its own measures, and no exporter that runs beside it. */
const WORK: ReadonlySet<Measure> = new Set<Measure>([
  ...(['requests', 'errors', 'success', 'latency', 'queries'] as const),
  ...(['connections', 'waiting', 'queue', 'lag', 'cache-hits'] as const),
]);

/** What does work of its own, on some machine. */
export function workingIn({ services, series }: Snapshot): Service[] {
  const working = new Set(series.filter(({ signal }) => WORK.has(signal.measure)).map((one) => one.service));
  return services.filter(({ name, kind }) => working.has(name) && kind !== 'external');
}

/** The machines by which a service is known: `vm-1` of `vm-1:8080`. */
export function hostsOf({ name, aliases, instances = [] }: Service): Set<string> {
  return new Set([name, ...aliases, ...instances].map(hostIn));
}

function hostIn(address: string): string {
  return address.replace(/:\d+$/u, '').toLowerCase();
}

/** `pg-1` is `pg-1.prod.example`, which is not `pg-1.test.example`. */
function areSame(some: Iterable<string>, others: readonly string[]): boolean {
  return [...some].some((a) => others.some((b) => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)));
}

/** From this share on a disk has nothing left that a program could use; with so little less it is still as full. */
const FULL = 0.99;
const AS_FULL = 0.001;
/** What cannot write is felt within this time; samples are a minute apart. */
const FELT = 30 * 60_000;
const AT_ONCE = 60_000;

/**
 * The disk of the machine on which it runs, and nothing else that is known to, if that became full shortly before. Where one
 * instance shows it, only the machine of that counts.
 */
export function fullDiskOf(of: Hypothesis, view: View): Anomaly | null {
  const { candidate, assessment } = of;
  const { name, workload, instances = [] } = candidate.node;
  const shown = (assessment.signs.pool?.worst ?? assessment.signs.worst)?.series;
  const one = shown?.labels.instance ?? shown?.instance;
  const hosts = (one == null ? instances : [one]).map(hostIn);
  const others = workingIn(view.snapshot).filter((other) => other.name !== name);
  for (const series of view.snapshot.series) {
    const { signal, service, labels } = series;
    if (signal.measure !== 'disk' || signal.unit !== '1' || workload !== null) continue;
    const machine = [service, labels.instance ?? service].map(hostIn);
    if (!areSame(hosts, machine) || others.some((other) => areSame(hostsOf(other), machine))) continue;
    const points = view.points(series, { from: 0, to: view.trigger + 1 });
    const worst = points.at(-1)?.value ?? 0;
    const last = points.findLastIndex(({ value }) => value < worst - AS_FULL);
    const [before, full] = [points[last], points[last + 1]];
    if (worst < FULL || before === undefined || full === undefined) continue;
    const lead = exhaustedAt(of) - full.at;
    if (lead < -AT_ONCE || lead > FELT) continue;
    const foot = climbOf(series)?.foot ?? { ...before, at: full.at };
    const began = { onset: foot.at, before: Math.min(foot.value, before.value), end: null };
    const { at: worstAt } = points.find(({ at, value }) => at >= full.at && value >= worst) ?? full;
    return { series, profile: profileOf(series), ...began, worst, worstAt };
  }
  return null;
}
