import type { Budget } from './budget.ts';
import { onceEach } from './changes/once.ts';
import {
  type AlertRule,
  type Change,
  type Edge,
  type Exported,
  type FiredAlert,
  known,
  type LogLine,
  type MetricInfo,
  mapped,
  type Objective,
  type Reading,
  type Series,
  type Service,
  type Signal,
  type Span,
  type StateFinding,
  type StateObject,
  unknown,
  type Window,
} from './model.ts';
import { comparableName, copiesOf } from './same-name.ts';
import type { TelemetrySource } from './source.ts';

/**
 * Several sources as one system: services with the same name are merged. What some sources do not know is a caveat of
 * the whole answer, which is unknown only if none of them knows. The first source names the services.
 */
export function combine(sources: readonly TelemetrySource[]): TelemetrySource {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return only;

  /** Service directories per budget and window: each source names services in its own way. */
  const directories = new WeakMap<Budget, Map<string, Promise<Directory>>>();
  const directory = (window: Window, budget: Budget): Promise<Directory> => {
    const key = `${window.from} ${window.to}`;
    const done = directories.get(budget) ?? new Map<string, Promise<Directory>>();
    directories.set(budget, done);
    const begun = done.get(key) ?? directoryOf(sources, window, budget);
    done.set(key, begun);
    return begun;
  };

  /** The source that had the alert's rule. */
  const ruling = new WeakMap<Budget, TelemetrySource>();

  async function each<T>(
    ask: (source: TelemetrySource, index: number) => Promise<Reading<T[]>>,
  ): Promise<Reading<T[]>> {
    return mergeReadings(await Promise.all(sources.map(ask)));
  }

  const inside = sources.find((source) => source.inside !== undefined)?.inside;
  const owners = sources.find((source) => source.owners !== undefined)?.owners;
  const actions = sources.find((source) => source.actions !== undefined)?.actions;
  const statusPages = sources.find((source) => source.statusPages !== undefined)?.statusPages;
  const tenantLabel = sources.find((source) => source.tenantLabel !== undefined)?.tenantLabel;
  /** Lines, spans and the like of a service (`null`: of all), each under the service's name in the whole system. */
  async function ofService<T extends { service: string }>(
    service: string | null,
    window: Window,
    budget: Budget,
    ask: (source: TelemetrySource, own: string | null) => Promise<Reading<T[]>>,
  ): Promise<Reading<T[]>> {
    const { nameOf, ownName } = await directory(window, budget);
    return each<T>(async (source, i) => {
      const own = service === null ? null : ownName(i, service);
      if (own === undefined) return known([]);
      return renamed(await ask(source, own), (one) => ({ ...one, service: nameOf(i, one.service) }));
    });
  }
  const stateFrom =
    (when: 'state' | 'stateThen'): NonNullable<TelemetrySource['state']> =>
    async (window, budget, linesOf, services) => {
      const { nameOf, ownName } = await directory(window, budget);
      return each<StateFinding>(
        async (source, i) =>
          (await source[when]?.(
            window,
            budget,
            (service) => linesOf(nameOf(i, service)),
            services?.flatMap((name) => ownName(i, name) ?? []),
          )) ?? known([]),
      );
    };

  return {
    ...(inside !== undefined && { inside }),
    ...(owners !== undefined && { owners }),
    ...(actions !== undefined && { actions }),
    ...(tenantLabel !== undefined && { tenantLabel }),
    ...(statusPages !== undefined && { statusPages }),
    name: sources.map(({ name }) => name).join('+'),
    pastMs: Math.max(0, ...sources.map(({ pastMs }) => pastMs)),
    services: async (window, budget) => {
      const { services, reading } = await directory(window, budget);
      return mapped(reading, () => [...services]);
    },
    edges: async (window, budget) => {
      const { nameOf } = await directory(window, budget);
      const reading = await each<Edge>(async (source, i) =>
        renamed(await source.edges(window, budget), ({ caller, callee }) => ({
          caller: nameOf(i, caller),
          callee: nameOf(i, callee),
        })),
      );
      if (!reading.known) return reading;
      const edges = new Map(reading.value.map((edge) => [`${edge.caller}\n${edge.callee}`, edge]));
      // One source with dependencies is enough: missing ones elsewhere are no gap.
      return known([...edges.values()], edges.size > 0 ? [] : reading.caveats);
    },
    signals: (window, budget) =>
      each<Signal>(async (source, i) =>
        renamed(await source.signals(window, budget), (signal) => ({ ...signal, id: `${i}:${signal.id}` })),
      ),
    series: async ({ signals, services, ...query }, window, budget) => {
      const { nameOf, ownName } = await directory(window, budget);
      return each<Series>(async (source, i) => {
        const own = signals.filter((id) => id.startsWith(`${i}:`)).map((id) => id.slice(`${i}:`.length));
        if (own.length === 0) return known([]);
        const which =
          services === undefined ? {} : { services: services.flatMap((name) => ownName(i, name) ?? []) };
        return renamed(await source.series({ ...query, signals: own, ...which }, window, budget), (series) =>
          ofSystem(series, i, nameOf),
        );
      });
    },
    recent: async (window, budget, services) => {
      const { nameOf, ownName } = await directory(window, budget);
      return each<Series>(async (source, i) => {
        const own = services?.flatMap((name) => ownName(i, name) ?? []);
        const reading = (await source.recent?.(window, budget, own)) ?? known([]);
        return renamed(reading, (series) => ofSystem(series, i, nameOf));
      });
    },
    ...(sources.some(({ catalog }) => catalog !== undefined) && {
      catalog: (window, budget) =>
        each<MetricInfo>(async (source) => (await source.catalog?.(window, budget)) ?? known([])),
    }),
    unusual: async (window, budget) => {
      const readings = await Promise.all(
        sources.map((source) => source.unusual?.(window, budget) ?? known(null)),
      );
      const some = readings.flatMap((reading, i) =>
        reading.known && reading.value === null
          ? []
          : [{ reading: mapped(reading, (names) => names ?? []), i }],
      );
      if (some.length === 0) return known(null);
      const { nameOf } = await directory(window, budget);
      return mergeReadings(
        some.map(({ reading, i }) => mapped(reading, (names) => names.map((name) => nameOf(i, name)))),
      );
    },
    ...(sources.some(({ logged }) => logged !== undefined) && {
      logged: async (window, budget) => {
        const { nameOf } = await directory(window, budget);
        return each<string>(async (source, i) =>
          mapped((await source.logged?.(window, budget)) ?? known([]), (names) =>
            names.map((name) => nameOf(i, name)),
          ),
        );
      },
    }),
    logs: async (service, window, budget, text) => {
      const reading = await ofService<LogLine>(service, window, budget, (source, own) =>
        source.logs(own, window, budget, text),
      );
      return mapped(reading, (lines) => lines.sort((a, b) => a.at - b.at));
    },
    spans: (service, window, budget) =>
      ofService<Span>(service, window, budget, (source, own) => source.spans(own, window, budget)),
    changes: async (window, budget) => {
      const { nameOf, services } = await directory(window, budget);
      const changed = (i: number, name: string) => {
        const [copy, ...others] = copiesOf(nameOf(i, name), services);
        return copy === undefined || others.length > 0 ? nameOf(i, name) : copy;
      };
      const reading = await each<{ source: string; changes: Change[] }>(async (source, i) => {
        const own = renamed(await source.changes(window, budget), (change) => ({
          ...change,
          service: change.service === null ? null : changed(i, change.service),
        }));
        return mapped(own, (changes) => [{ source: source.name, changes }]);
      });
      return mapped(reading, onceEach);
    },
    objectives: async (service, window, budget) => {
      const { ownName } = await directory(window, budget);
      const ask = async (source: TelemetrySource, i: number) =>
        source.objectives?.(ownName(i, service) ?? service, window, budget) ?? known([]);
      return each<Objective>(ask);
    },
    ...(sources.some(({ objects }) => objects !== undefined) && {
      objects: (window, budget) =>
        each<StateObject>(async (source) => (await source.objects?.(window, budget)) ?? known([])),
    }),
    ...(sources.some(({ exported }) => exported !== undefined) && {
      exported: async (window, budget, services) => {
        const { nameOf, ownName } = await directory(window, budget);
        return each<Exported>(async (source, i) => {
          const own = services?.flatMap((name) => ownName(i, name) ?? []) ?? null;
          const reading = (await source.exported?.(window, budget, own)) ?? known([]);
          return renamed(reading, (one) => ({ ...one, service: nameOf(i, one.service) }));
        });
      },
    }),
    ...(sources.some(({ state }) => state !== undefined) && { state: stateFrom('state') }),
    ...(sources.some(({ stateThen }) => stateThen !== undefined) && { stateThen: stateFrom('stateThen') }),
    alertRule: async (alert, budget) => {
      for (const source of sources) {
        const reading: Reading<AlertRule | null> = (await source.alertRule?.(alert, budget)) ?? known(null);
        if (!reading.known || reading.value === null) continue;
        ruling.set(budget, source);
        return reading;
      }
      return known(null);
    },
    alertRules: async (budget) => {
      for (const source of sources) {
        const reading = await source.alertRules?.(budget);
        if (reading === undefined || (reading.known && reading.value.length === 0)) continue;
        ruling.set(budget, source);
        return reading;
      }
      return known([]);
    },
    fired: async (window, budget) => {
      const reading = await each<FiredAlert>(
        async (source) => (await source.fired?.(window, budget)) ?? known([]),
      );
      return mapped(reading, (all) => all.toSorted((a, b) => a.from - b.from));
    },
    evaluate: async (expression, window, budget) => {
      const source = ruling.get(budget) ?? sources.find(({ evaluate }) => evaluate !== undefined);
      return source?.evaluate?.(expression, window, budget) ?? known([]);
    },
    focus: (labels, window, budget, text) => {
      for (const source of sources) source.focus?.(labels, window, budget, text);
    },
    copies: async (labels, window, budget) => {
      for (const source of sources) {
        const reading = await source.copies?.(labels, window, budget);
        if (reading?.known && reading.value.length > 0) return reading;
      }
      return known([]);
    },
    check: async (budget) => {
      const all = await Promise.all(sources.map((source) => source.check(budget)));
      return {
        name: all.map(({ name }) => name).join('+'),
        ok: all.every(({ ok }) => ok),
        summary: all.map(({ summary }) => summary).join(' '),
        details: all.flatMap(({ details }) => details),
        parts: all.flatMap((one) => one.parts ?? [one]),
      };
    },
  };
}

/** A source's series under the names of the whole system. */
function ofSystem(series: Series, source: number, nameOf: Directory['nameOf']): Series {
  const { edge, signal, service } = series;
  return {
    ...series,
    signal: { ...signal, id: `${source}:${signal.id}` },
    service: nameOf(source, service),
    edge: edge && { ...edge, caller: nameOf(source, edge.caller), callee: nameOf(source, edge.callee) },
  };
}

interface Directory {
  reading: Reading<Service[]>;
  services: readonly Service[];
  nameOf(source: number, name: string): string;
  /** A source's name for a service; undefined if it does not know it. */
  ownName(source: number, name: string): string | undefined;
}

async function directoryOf(
  sources: readonly TelemetrySource[],
  window: Window,
  budget: Budget,
): Promise<Directory> {
  const readings = await Promise.all(sources.map((source) => source.services(window, budget)));
  const services = new Map<string, Service>();
  const byKey = new Map<string, string>();
  const names = readings.map(() => new Map<string, string>());
  const own = readings.map(() => new Map<string, string>());
  for (const [i, reading] of readings.entries()) {
    for (const service of reading.known ? reading.value : []) {
      const keys = [service.name, ...service.aliases].map(comparableName);
      const name = keys.map((key) => byKey.get(key)).find((known_) => known_ !== undefined) ?? service.name;
      const before = services.get(name);
      services.set(name, before === undefined ? { ...service, name } : joined(before, service));
      for (const key of keys) byKey.set(key, byKey.get(key) ?? name);
      names[i]?.set(service.name, name);
      own[i]?.set(name, service.name);
    }
  }
  return {
    reading: mergeReadings(readings),
    services: [...services.values()],
    nameOf: (source, name) => names[source]?.get(name) ?? byKey.get(comparableName(name)) ?? name,
    ownName: (source, name) => own[source]?.get(name),
  };
}

function joined(a: Service, b: Service): Service {
  return {
    name: a.name,
    kind: a.kind === 'unknown' ? b.kind : a.kind,
    aliases: [...new Set([...a.aliases, b.name, ...b.aliases])].filter((alias) => alias !== a.name),
    workload: a.workload ?? b.workload,
    ...((a.instances ?? b.instances) && {
      instances: [...new Set([...(a.instances ?? []), ...(b.instances ?? [])])],
    }),
  };
}

function renamed<T>(reading: Reading<T[]>, change: (item: T) => T): Reading<T[]> {
  return mapped(reading, (items) => items.map(change));
}

/** Merges answers: what some sources do not know is a caveat; the result is unknown only if none of them knows. */
export function mergeReadings<T>(readings: readonly Reading<T[]>[]): Reading<T[]> {
  const reasons = [...new Set(readings.flatMap((reading) => (reading.known ? [] : [reading.reason])))];
  if (readings.length > 0 && !readings.some((reading) => reading.known)) return unknown(reasons.join(' '));
  const caveats = readings.flatMap((reading) => (reading.known ? reading.caveats : []));
  return known(
    readings.flatMap((reading) => (reading.known ? reading.value : [])),
    [...new Set([...reasons, ...caveats])],
  );
}

/**
 * A source that only has some kinds of telemetry. It returns nothing for the others, which is no gap: nobody expects
 * metrics from log storage.
 */
export function partialSource(
  given: Pick<TelemetrySource, 'name' | 'check'> & Partial<TelemetrySource>,
): TelemetrySource {
  return {
    pastMs: 0,
    services: async () => known([]),
    edges: async () => known([]),
    signals: async () => known([]),
    series: async () => known([]),
    logs: async () => known([]),
    spans: async () => known([]),
    changes: async () => known([]),
    ...given,
  };
}
