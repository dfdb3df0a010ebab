import { writeFileSync } from 'node:fs';
import {
  hasPrometheus as isInstalled,
  type ServedHistory,
  servePrometheus,
} from '../../bench/systems/prometheus.ts';
import type { History } from './history.ts';

/** A real Prometheus over a history that was made up. */
export type TestPrometheus = ServedHistory;

/** Whether Debian's `prometheus` is there. Where it is not, tests that need it are skipped, and say so. */
export function hasPrometheus(): boolean {
  const found = isInstalled();
  if (!found) console.info('Skipped: no `prometheus` and `promtool` here (apt-get install prometheus).');
  return found;
}

/** Not in memory, where the other files of the tests are: promtool reserves far more than it writes. */
const DISK = '/var/tmp';

/** Starts Prometheus with a history, and rules as in a rule file. */
export function startPrometheus(
  history: History,
  options: { rules?: object | null } = {},
): Promise<TestPrometheus> {
  return startPrometheusWith([() => history], options);
}

/** Starts Prometheus with several histories of different times, each of which is made when its turn comes. */
export function startPrometheusWith(
  histories: readonly (() => History)[],
  options: { rules?: object | null } = {},
): Promise<TestPrometheus> {
  const writes = histories.map((make) => (path: string) => writeFileSync(path, make().text()));
  return servePrometheus(writes, { ...options, inFolder: DISK });
}
