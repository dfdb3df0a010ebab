import type { Clock } from '../../lib/clock.ts';
import type { Budget } from './budget.ts';
import { combine } from './combined.ts';
import { labelledAs } from './copy-labels.ts';
import { createKubernetesSource } from './kubernetes.ts';
import { known, mapped, unknown } from './model.ts';
import type { OpenSource, TelemetrySource } from './source.ts';

export interface ClusterSettings {
  /** By which alerts name it; `null` for the only one. */
  name: string | null;
  /** `in-cluster`, or the path of a kubeconfig. */
  where: string;
}

/**
 * Several clusters, of which an alert's label chooses one. Without such a label all of them are read, and what is found
 * is said with the cluster's name.
 */
export function createClustersSource(
  settings: readonly ClusterSettings[],
  { clock }: { clock: Clock },
): OpenSource {
  const clusters = settings.map(({ name, where }) => ({
    name,
    source: createKubernetesSource(where, { clock }),
  }));
  const [only] = clusters;
  if (only !== undefined && clusters.length === 1) return only.source;

  const chosen = new WeakMap<Budget, TelemetrySource>();
  const named = clusters.map(({ name, source }) => withName(source, name ?? ''));
  const all = allOf(named);
  const names = clusters.map(({ name }) => name ?? '');
  const from = (budget: Budget) => chosen.get(budget) ?? all;
  return {
    ...all,
    name: 'kubernetes',
    services: (window, budget) => from(budget).services(window, budget),
    logs: (service, window, budget, text) => from(budget).logs(service, window, budget, text),
    changes: (window, budget) => from(budget).changes(window, budget),
    state: async (window, budget, linesOf) =>
      (await from(budget).state?.(window, budget, linesOf)) ?? known([]),
    objects: async (window, budget) => (await from(budget).objects?.(window, budget)) ?? known([]),
    focus: (labels, _window, budget) => {
      const wanted = labelledAs('cluster', labels);
      if (wanted === null) return;
      const cluster = clusters.find(({ name }) => name?.toLowerCase() === wanted.toLowerCase());
      chosen.set(budget, cluster?.source ?? missing(wanted, names, all));
    },
    close: async () => {
      await Promise.all(clusters.map(({ source }) => source.close()));
    },
  };
}

/** Answers for a cluster that `KUBERNETES` does not have: another one's state is none of its. */
function missing(wanted: string, names: readonly string[], all: TelemetrySource): TelemetrySource {
  const reading = async () =>
    unknown(
      `The alert is about cluster ${wanted.slice(0, 60)}, which KUBERNETES does not name (it has ${names.join(', ')}).`,
    );
  return { ...all, services: reading, logs: reading, changes: reading, state: reading, objects: reading };
}

/** A cluster whose findings and changes say that they are of it. */
function withName(source: TelemetrySource, name: string): TelemetrySource {
  return {
    ...source,
    changes: async (window, budget) =>
      mapped(await source.changes(window, budget), (changes) =>
        changes.map((change) => ({ ...change, title: `${change.title} (cluster ${name})` })),
      ),
    state: async (window, budget, linesOf) =>
      mapped((await source.state?.(window, budget, linesOf)) ?? known([]), (findings) =>
        findings.map((finding) => ({ ...finding, sentence: `In cluster ${name}: ${finding.sentence}` })),
      ),
    objects: async (window, budget) =>
      mapped((await source.objects?.(window, budget)) ?? known([]), (objects) =>
        objects.map((object) => ({ ...object, cluster: name })),
      ),
    check: async (budget) => {
      const health = await source.check(budget);
      return { ...health, summary: `Cluster ${name}: ${health.summary}` };
    },
  };
}

function allOf(sources: readonly TelemetrySource[]): TelemetrySource {
  return {
    ...combine(sources),
    state: async (window, budget, linesOf) => {
      const readings = await Promise.all(
        sources.map(async (source) => (await source.state?.(window, budget, linesOf)) ?? known([])),
      );
      const findings = readings.flatMap((reading) => (reading.known ? reading.value : []));
      const reasons = readings.flatMap((reading) => (reading.known ? reading.caveats : [reading.reason]));
      return known(
        findings.sort((a, b) => b.confidence - a.confidence),
        [...new Set(reasons)],
      );
    },
  };
}
