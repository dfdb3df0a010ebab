import { writeFileSync } from 'node:fs';
import type { ServedHistory } from '../bench/systems/prometheus.ts';
import {
  hasVictoriaMetrics as isInstalled,
  serveVictoriaMetrics,
} from '../bench/systems/victoria-metrics.ts';
import type { History } from './prometheus/history.ts';

/** Whether Debian's `victoria-metrics` is there. Where it is not, tests that need it are skipped, and say so. */
export function hasVictoriaMetrics(): boolean {
  const found = isInstalled();
  if (!found) console.info('Skipped: no `victoria-metrics` here (apt-get install victoria-metrics).');
  return found;
}

/** A real VictoriaMetrics over histories that were made up. */
export function startVictoriaMetrics(histories: readonly (() => History)[]): Promise<ServedHistory> {
  const writes = histories.map((make) => (path: string) => writeFileSync(path, make().text()));
  return serveVictoriaMetrics(writes, { inFolder: '/var/tmp' });
}
