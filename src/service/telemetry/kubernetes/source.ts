import type { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { askJson } from '../ask-json.ts';
import type { Budget } from '../budget.ts';
import { oncePerBudget } from '../cached.ts';
import { createSourceClient, type SourceAddress, type SourceClient } from '../http.ts';
import { type Answer, known, type LogLine, unknown } from '../model.ts';
import { partialSource } from '../partial-source.ts';
import type { TelemetrySource } from '../source.ts';
import { changesIn, seenAt } from './changes.ts';
import { connectionTo } from './connection.ts';
import { Event, listOf, Pod, ReplicaSet } from './schema.ts';
import { type Workloads, workloadsOf } from './workloads.ts';

const NAME = 'kubernetes';
const PAGE = '500';
const MOST_PAGES = 10;

/**
 * A Kubernetes cluster, read only: workloads, deploys and rollbacks from their ReplicaSets, and warnings and killed
 * containers as log lines. Lists ReplicaSets, Pods and Events of all namespaces, nothing else.
 */
export function createKubernetesSource(
  where: string,
  { clock }: { clock: Clock },
): TelemetrySource & { close(): Promise<void> } {
  let connection: Connection | null = null;

  /** Connects when first needed, and retries after a failure. */
  async function connect(): Promise<Connection> {
    if (connection) return connection;
    const address = await connectionTo(where);
    connection ??= { address, http: createSourceClient(address) };
    return connection;
  }

  async function list<T>(path: string, item: z.ZodType<T>, budget: Budget): Promise<Answer<T[]>> {
    let source: Connection;
    try {
      source = await connect();
    } catch (error) {
      return unknown(error instanceof Error ? error.message : String(error));
    }
    const items: T[] = [];
    let next = '';
    for (let page = 0; page < MOST_PAGES; page++) {
      const parameters = [['limit', PAGE], ...(next === '' ? [] : [['continue', next] as const])] as const;
      const answer = await askJson(source, { path, parameters }, listOf(item), budget);
      if (!answer.known) return items.length === 0 ? answer : known(items, [answer.reason]);
      items.push(...answer.value.items);
      next = answer.value.metadata?.continue ?? '';
      if (next === '') return known(items);
    }
    return known(items, [
      `Kubernetes has more than ${items.length} objects at ${path}: the rest was not read.`,
    ]);
  }

  const reading = oncePerBudget(async (_key, budget): Promise<Answer<Cluster>> => {
    const [replicaSets, pods, events] = await Promise.all([
      list('/apis/apps/v1/replicasets', ReplicaSet, budget),
      list('/api/v1/pods', Pod, budget),
      list('/api/v1/events', Event, budget),
    ]);
    if (!replicaSets.known && !pods.known) return replicaSets;
    const answers = [replicaSets, pods, events];
    const sets = replicaSets.known ? replicaSets.value : [];
    const running = pods.known ? pods.value : [];
    return known(
      {
        replicaSets: sets,
        pods: running,
        events: events.known ? events.value : [],
        workloads: workloadsOf(sets, running),
      },
      answers.flatMap((answer) => (answer.known ? answer.caveats : [answer.reason])),
    );
  });
  const read = (budget: Budget) => reading('', budget);

  return {
    ...partialSource({
      name: NAME,
      services: async (_window, budget) => {
        const answer = await read(budget);
        return answer.known ? known([...answer.value.workloads.services], answer.caveats) : answer;
      },
      logs: async (service, window, budget) => {
        const answer = await read(budget);
        if (!answer.known) return answer;
        return known(
          [...warningsIn(answer.value), ...killedIn(answer.value)]
            .filter((line) => service === null || line.service === service)
            .filter(({ at }) => at >= window.from && at < window.to)
            .sort((a, b) => a.at - b.at),
          answer.caveats,
        );
      },
      changes: async (window, budget) => {
        const answer = await read(budget);
        if (!answer.known) return answer;
        const { replicaSets, events, workloads } = answer.value;
        return known(changesIn(replicaSets, events, workloads, window), answer.caveats);
      },
      check: async (budget) => {
        const answer = await read(budget);
        if (!answer.known) return { name: NAME, ok: false, summary: answer.reason, details: [] };
        const { pods, workloads, replicaSets, events } = answer.value;
        const recent = { from: clock.now() - 24 * 3_600_000, to: clock.now() };
        const changes = changesIn(replicaSets, events, workloads, recent);
        return {
          name: NAME,
          ok: true,
          summary: `Kubernetes answers: ${workloads.services.length} workloads, ${pods.length} pods, ${changes.length} deploys within a day.`,
          details: answer.caveats,
        };
      },
    }),
    close: async () => {
      await connection?.http.close();
    },
  };
}

interface Connection {
  address: SourceAddress;
  http: SourceClient;
}

interface Cluster {
  replicaSets: ReplicaSet[];
  pods: Pod[];
  events: Event[];
  workloads: Workloads;
}

function warningsIn({ events, workloads }: Cluster): LogLine[] {
  return events.flatMap((event) => {
    const { kind, namespace, name } = event.involvedObject;
    const service = workloads.serviceOf(kind, namespace, name);
    if (event.type !== 'Warning' || service === null) return [];
    return [
      {
        at: seenAt(event),
        service,
        instance: kind === 'Pod' ? name : null,
        level: 'warn',
        message: `${event.reason ?? 'Warning'}: ${event.message ?? ''}`,
        traceId: null,
      },
    ];
  });
}

function killedIn({ pods, workloads }: Cluster): LogLine[] {
  return pods.flatMap(({ metadata, status }) =>
    (status?.containerStatuses ?? []).flatMap(({ name, restartCount, lastState }) => {
      const ended = lastState?.terminated;
      const service = workloads.serviceOf('Pod', metadata.namespace, metadata.name);
      const at = Date.parse(ended?.finishedAt ?? '');
      if (!ended || ended.exitCode === 0 || service === null || Number.isNaN(at)) return [];
      return [
        {
          at,
          service,
          instance: metadata.name,
          level: 'error',
          message: `Container ${name} terminated: ${ended.reason ?? 'Error'} (exit code ${ended.exitCode ?? 'unknown'}), restarted ${restartCount} times`,
          traceId: null,
        },
      ];
    }),
  );
}
