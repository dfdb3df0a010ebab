import type { Window } from '../../service/telemetry/model.ts';
import { effectAt, STEP } from './effects.ts';
import type { Fault } from './faults.ts';
import { chance } from './random.ts';
import { lineOf, type ShopLine } from './story.ts';
import { reachOf, SHOP } from './topology.ts';

/** What a service wrote in the window, oldest first: a sampled everyday line a minute, and what faults make it write. */
export function logsOf(seed: number, service: string, window: Window, faults: readonly Fault[]): ShopLine[] {
  const node = SHOP[service];
  if (!node) return [];
  const lines: ShopLine[] = [];
  for (let at = Math.ceil(window.from / STEP) * STEP; at < window.to; at += STEP) {
    const luck = chance(seed, 'log', service, at / STEP);
    if (at % (2 * STEP) === 0) lines.push(everyday(node.latency, at, luck));
    for (const fault of faults) {
      const moment = Math.min(window.to - 1, at + Math.floor(luck * (STEP - 1)));
      const line =
        fault.service === service ? lineOf(fault, moment, luck) : fromBelow(fault, service, moment, luck);
      if (line) lines.push(line);
    }
  }
  return lines.sort((a, b) => a.at - b.at);
}

function everyday(latency: number, at: number, luck: number): ShopLine {
  return luck < 0.04
    ? { at, level: 'warn', message: 'Client closed the connection before the reply was written' }
    : {
        at,
        level: 'info',
        message: `Handled in ${Math.max(1, Math.round(latency * (0.3 + 0.5 * luck)))} ms`,
      };
}

/** What a service writes about a problem that reaches it through a call. */
function fromBelow(fault: Fault, service: string, at: number, luck: number): ShopLine | null {
  const effect = effectAt(fault, service, at);
  const through = worstCall(fault, service);
  if (!through || luck > 4 * effect.errors + effect.latency / 800) return null;
  return effect.errors * 1000 > effect.latency / 4
    ? { at, level: 'error', message: `Call to ${through} failed: 503` }
    : { at, level: 'warn', message: `Call to ${through} took ${Math.round(effect.latency * (1 + luck))} ms` };
}

function worstCall(fault: Fault, service: string): string | null {
  const reach = reachOf(fault.service);
  let worst: string | null = null;
  let most = 0;
  for (const [callee, weight] of Object.entries(SHOP[service]?.calls ?? {})) {
    const share = weight * (reach.get(callee)?.share ?? 0);
    if (share > most) [worst, most] = [callee, share];
  }
  return worst;
}
