import { z } from 'zod';
import { type Clock, timeoutSignal } from '../../lib/clock.ts';
import type { HostPage } from '../../lib/environment.ts';
import { parseJson } from '../../lib/json.ts';
import { oneLine } from '../../lib/text.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Problems } from '../problems/registry.ts';
import { checkedPlan, syncPlans } from '../settings/plans.ts';
import type { Logger } from '../shared/log.ts';
import type { Store } from '../store/open.ts';
import type { Said } from './alertmanager-plans.ts';

const EVERY_MS = 5 * 60_000;
const PATIENCE_MS = 20_000;

const Maintenance = z.looseObject({
  id: z.string(),
  name: z.string().catch(''),
  status: z.string().catch(''),
  scheduled_for: z.string(),
  scheduled_until: z.string(),
});
type Maintenance = z.infer<typeof Maintenance>;
const Summary = z.looseObject({ scheduled_maintenances: z.array(z.unknown()) });

interface StatusPageOptions {
  store: Store;
  statusPages: readonly HostPage[];
  clock: Clock;
  log: Logger;
  problems: Pick<Problems, 'watch'>;
}

/**
 * Scheduled maintenances of hosts that ours call are planned work on that host. What fires at our own services meanwhile
 * is looked at as ever: that somebody else works does not say that nothing of ours is broken.
 */
export function createMaintenanceWatch(options: StatusPageOptions): Worker {
  const { clock, log } = options;
  const failing = new Map<string, string>();
  options.problems.watch({
    name: 'status_pages',
    fixedBy: 'operator',
    sentence: () =>
      failing.size === 0
        ? null
        : `maintenances cannot be read from ${[...failing].map(([host, why]) => `the status page of ${host} (${why})`).join(', ')}; check STATUS_PAGES`,
  });
  return createWorkerLoop({
    round: async (signal) => {
      for (const page of options.statusPages) {
        const why = await readMaintenances(page, options, signal).then(() => null, String);
        if (why === null) failing.delete(page.host);
        else failing.set(page.host, why);
        if (why !== null)
          log.warn({ host: page.host, why }, 'could not read the maintenances of a status page');
      }
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not read status pages'),
  });
}

/** One look at a page; one of another product says nothing of maintenances. @throws if it does not answer */
export async function readMaintenances(
  page: HostPage,
  { store, clock }: Pick<StatusPageOptions, 'store' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  const { host } = page;
  const scheduled = await maintenancesOf(page, signal);
  if (scheduled === null) return;
  const now = clock.now();
  const said = scheduled.flatMap((one) => planOf(one, host, now));
  await store.transaction(async (tx) => {
    const channels = await tx.channels.watched();
    const everywhere = said.flatMap((plan) => channels.map(({ channel }) => ({ ...plan, channel })));
    await syncPlans(
      tx,
      { prefix: `status:${host}:`, by: `from:the status page of ${host}`, now },
      everywhere,
    );
  });
}

/** What a page of Statuspage has scheduled; `null` if it is not one. @throws if it does not answer */
export async function maintenancesOf({ url }: HostPage, signal?: AbortSignal): Promise<Maintenance[] | null> {
  const response = await fetch(`${url}/api/v2/summary.json`, { signal: timeoutSignal(PATIENCE_MS, signal) });
  if (response.status >= 500) throw new Error(`it answers with ${response.status}`);
  const summary = response.ok ? Summary.safeParse(parseJson(await response.text())).data : undefined;
  if (summary === undefined) return null;
  return summary.scheduled_maintenances.flatMap((one) => Maintenance.safeParse(one).data ?? []);
}

function planOf(
  { id, name, status, scheduled_for, scheduled_until }: Maintenance,
  host: string,
  now: number,
): Said[] {
  if (status === 'completed') return [];
  const times = { from: Date.parse(scheduled_for), until: Date.parse(scheduled_until) };
  const checked = checkedPlan({ scope: [host], ...times, title: oneLine(name) }, now);
  return typeof checked === 'string' ? [] : [{ ...checked, id }];
}
