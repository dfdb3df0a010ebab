import {
  type Change,
  known,
  type LogLine,
  type Series,
  type Service,
  type Signal,
  type Window,
} from '../../service/telemetry/model.ts';
import type { TelemetrySource } from '../../service/telemetry/source.ts';
import { CERTIFICATE_NOTICE, FADE } from './effects.ts';
import { type Fault, seededFaults } from './faults.ts';
import { logsOf } from './logs.ts';
import { LIMITS, metricsOf, reports, SHOP_SIGNALS } from './metrics.ts';
import { chance } from './random.ts';
import { changesOf, type ShopChange, versionAt } from './story.ts';
import { SHOP } from './topology.ts';
import { createTraces } from './traces.ts';

/** What artifacts of the shop are attributed to. */
const NAME = 'demo';
const SERVICES = Object.keys(SHOP);

/**
 * The simulated shop as telemetry, deterministic by seed and time.
 *
 * @param options.injected the faults that were put in; each suppresses recurring ones within 90 minutes of it
 * @param options.recurring whether the shop has faults of its own (default true)
 */
export function createShop(options: {
  seed: number;
  injected: () => Fault[];
  recurring?: boolean;
}): TelemetrySource {
  const { seed, injected, recurring = true } = options;
  const tracesOf = createTraces(seed);
  const faults = (window: Window) => faultsSeenIn(window, { seed, injected, recurring });
  const series = (service: string, signals: readonly Signal[], window: Window, seen: Fault[]): Series[] => {
    const reported = signals.filter(({ id }) => reports(service, id));
    if (reported.length === 0) return [];
    const read = metricsOf(seed, service, window, seen);
    return reported.map((signal) => {
      const limit = LIMITS[signal.id];
      return {
        signal,
        service,
        instance: null,
        edge: null,
        labels: {},
        points: read(signal.id),
        limit: limit === undefined ? null : read(limit),
        query: null,
        providerUrl: null,
        provider: NAME,
      };
    });
  };
  return {
    name: NAME,
    // Its faults recur within hours: a longer past would hold more of them than of quiet.
    pastMs: 0,
    services: async () =>
      known(
        Object.entries(SHOP).map(
          ([name, { kind }]): Service => ({
            name,
            kind,
            aliases: [],
            workload: { namespace: 'shop', kind: kind === 'database' ? 'StatefulSet' : 'Deployment', name },
          }),
        ),
      ),
    edges: async () =>
      known(
        Object.entries(SHOP).flatMap(([caller, { calls }]) =>
          Object.keys(calls).map((callee) => ({ caller, callee })),
        ),
      ),
    signals: async () => known([...SHOP_SIGNALS]),
    series: async ({ signals, services = SERVICES }, window) => {
      const asked = SHOP_SIGNALS.filter(({ id }) => signals.includes(id));
      const seen = faults(window);
      return known(services.flatMap((service) => series(service, asked, window, seen)));
    },
    logs: async (service, window) =>
      known(
        of(service).flatMap((name) =>
          logsOf(seed, name, window, faults(window)).map(
            (line): LogLine => ({ ...line, service: name, instance: null, traceId: null }),
          ),
        ),
      ),
    spans: async (service, window) => known(tracesOf(of(service), window, faults(window))),
    changes: async (window) =>
      known(
        changesIn(seed, window, faults(window)).map(
          (change): Change => ({ ref: null, url: null, details: null, ...change }),
        ),
      ),
    check: async () => ({
      name: NAME,
      ok: true,
      summary: `A simulated shop with ${SERVICES.length} services.`,
      details: [],
    }),
  };
}

function of(service: string | null): readonly string[] {
  return service === null ? SERVICES : [service];
}

const BLOCK = 4 * 3_600_000;

/** All changes in the window, oldest first: those that belong to faults, and harmless deploys. */
function changesIn(seed: number, window: Window, faults: readonly Fault[]): ShopChange[] {
  const harmless: ShopChange[] = [];
  for (let block = Math.floor(window.from / BLOCK); block * BLOCK < window.to; block++)
    for (const [service, { kind }] of Object.entries(SHOP)) {
      if (kind === 'database' || chance(seed, 'deploys', service, block) < 0.4) continue;
      const at = block * BLOCK + Math.floor(chance(seed, 'deploy', service, block) * BLOCK);
      const version = versionAt(service, at);
      harmless.push({ at, service, kind: 'deploy', title: `Deploy ${service} ${version}`, version });
    }
  return [...faults.flatMap(changesOf), ...harmless]
    .filter(({ at }) => at >= window.from && at < window.to)
    .sort((a, b) => a.at - b.at);
}

const SUPPRESSION = 90 * 60_000;

/**
 * The faults that can be seen in a window: those put in, and the shop's own, except within 90 minutes of one
 * that was put in. The window is widened by what a fault shows before it begins and after it ends.
 */
function faultsSeenIn(
  window: Window,
  shop: { seed: number; injected: () => Fault[]; recurring: boolean },
): Fault[] {
  const wide = { from: window.from - FADE, to: window.to + CERTIFICATE_NOTICE };
  const injected = shop.injected();
  const own = shop.recurring ? seededFaults(shop.seed, wide) : [];
  return [
    ...own.filter(
      (fault) =>
        !injected.some((other) => fault.from < other.to + SUPPRESSION && fault.to > other.from - SUPPRESSION),
    ),
    ...injected.filter((fault) => fault.from < wide.to && fault.to > wide.from),
  ];
}
