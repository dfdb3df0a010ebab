import type { Window } from '../../service/telemetry/model.ts';
import type { Fault } from './faults.ts';
import { chance } from './random.ts';
import { changesOf, type ShopChange, versionAt } from './story.ts';
import { SHOP } from './topology.ts';

const BLOCK = 4 * 3_600_000;

/** All changes in the window, oldest first: those that belong to faults, and harmless deploys. */
export function changesIn(seed: number, window: Window, faults: readonly Fault[]): ShopChange[] {
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
