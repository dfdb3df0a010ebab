import type { Window } from '../../service/telemetry/model.ts';
import { CERTIFICATE_NOTICE, FADE } from './effects.ts';
import { type Fault, seededFaults } from './faults.ts';

const SUPPRESSION = 90 * 60_000;

/**
 * The faults that can be seen in a window: those put in, and the shop's own, except within 90 minutes of one
 * that was put in. The window is widened by what a fault shows before it begins and after it ends.
 */
export function faultsSeenIn(
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
