import { randomUUID } from 'node:crypto';
import type { FaultKind } from '../../src/demo/shop/faults.ts';
import { createShop } from '../../src/demo/shop/shop.ts';
import { capitalize } from '../../src/service/investigation/format.ts';
import { investigate } from '../../src/service/investigation/investigate.ts';
import { KINDS } from '../../src/service/investigation/kinds/index.ts';
import { WORDS } from '../../src/service/investigation/words/kinds.ts';
import { UNLIMITED } from '../../src/service/telemetry/budget.ts';
import { type BenchCase, faultyCases, healthyCases } from './cases.ts';

/** What an investigation of a case named first. */
export interface Outcome {
  injected: BenchCase;
  /** `null`: no root cause found. */
  found: { kind: string; service: string } | null;
  right: boolean;
  /** Of the processor, all threads. */
  cpuMs: number;
}

/** What the investigator calls each kind. */
export const NAMES: Readonly<Record<FaultKind, string>> = {
  bad_deploy: 'Bad deploy',
  connection_pool: 'Connection-pool exhaustion',
  memory_leak: 'Memory leak',
  slow_query: 'Slow query',
  disk_full: 'Disk full',
  certificate_expiry: 'Certificate expiry',
  queue_backlog: 'Queue backlog',
  config_change: 'Configuration change',
};

/**
 * Cases with these seeds judge the investigator, and are used for nothing else: neither by tests nor in making
 * it. Who looks for a remedy of a miss looks at other seeds.
 */
export const HELD_OUT = { faulty: 31_000_000, healthy: 37_000_000 };

/** Investigates cases with seeds from the given ones on, each a few seconds after its alert. */
export async function benchInvestigator(
  first: { faulty: number; healthy: number },
  count: { faulty: number; healthy: number },
): Promise<Outcome[]> {
  const cases = [...faultyCases(first.faulty, count.faulty), ...healthyCases(first.healthy, count.healthy)];
  for (const warmUp of cases.slice(0, 5)) await outcomeOf(warmUp);
  const outcomes: Outcome[] = [];
  for (const one of cases) outcomes.push(await outcomeOf(one));
  return outcomes;
}

async function outcomeOf(injected: BenchCase): Promise<Outcome> {
  const { seed, fault, named, title, triggeredAt } = injected;
  const shop = createShop({ seed, injected: () => (fault ? [fault] : []), recurring: false });
  const issue = { title, description: 'An alert.', environment: 'production', triggeredAt };
  const begin = process.cpuUsage();
  const { results } = await investigate({ ...issue, service: named, context: {} }, shop, {
    id: randomUUID,
    now: triggeredAt + 5_000,
    budget: UNLIMITED,
  });
  const { user, system } = process.cpuUsage(begin);
  const cause = results.causalTreeV2.nodes?.find(({ nodeType }) => nodeType === 'cause')?.title;
  const found = cause === undefined ? null : foundIn(cause);
  const right =
    fault === null ? found === null : found?.kind === NAMES[fault.kind] && found.service === fault.service;
  return { injected, found, right, cpuMs: (user + system) / 1_000 };
}

/** How the headline of a change begins once it is proven; before that it is the one without a candidate. */
const PROVEN: Readonly<Record<string, string>> = {
  'Bad deploy of ': NAMES.bad_deploy,
  'Bad configuration change on ': NAMES.config_change,
};

/** The cause of a causal tree is titled with its headline: `Bad deploy of payments`. */
function foundIn(title: string): { kind: string; service: string } {
  const service = title.split(' ').at(-1) ?? '';
  const [, proven] = Object.entries(PROVEN).find(([begin]) => title.startsWith(begin)) ?? [];
  const kind = KINDS.find(({ name }) => capitalize(WORDS[name].headline(service)) === title);
  return { kind: proven ?? capitalize(kind?.name ?? title), service };
}
