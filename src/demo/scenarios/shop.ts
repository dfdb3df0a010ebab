import type { Clock } from '../../lib/clock.ts';
import type { Fault } from '../shop/faults.ts';
import type { SimulatedService } from '../simulated-service.ts';
import { SHOP_FAULTS } from './problems.ts';
import { Refusal } from './refusal.ts';

const MINUTE = 60_000;
/** Monitoring alerts a few minutes after a fault starts, when the telemetry clearly shows it. */
const NOTICED_AFTER = 3 * MINUTE;
/** The investigator compares with a baseline before the fault; after 90 minutes the baseline would be faulty too. */
const LASTS_CLEARLY = 45 * MINUTE;
/** The latest time that a Date can represent. */
const OPEN_END = 8_640_000_000_000_000;

export interface ShopView {
  faults: { kind: string; title: string; services: string[] }[];
  /** The active faults; `since` in milliseconds. */
  broken: { kind: string; service: string; since: number }[];
}

/** Injects and clears faults of the simulated shop. */
export interface ShopControl {
  view(): ShopView;
  /** The active faults, the newest last. */
  broken(): Fault[];
  /** Injects a fault that started a few minutes ago and lasts until it is repaired. Throws a Refusal. */
  break(input: { fault: string; service: string; minutesBefore?: number }): void;
  repair(): void;
  /** Restarts long-running faults, so that an investigation still finds a healthy baseline. */
  refresh(): void;
}

export function createShopControl(service: SimulatedService, clock: Clock): ShopControl {
  const broken = () => {
    const now = clock.now();
    return service.faults().filter(({ from, to }) => from <= now && now < to);
  };
  return {
    view: () => ({
      faults: SHOP_FAULTS.map(({ kind, title, services }) => ({ kind, title, services: [...services] })),
      broken: broken().map(({ kind, service: place, from }) => ({ kind, service: place, since: from })),
    }),
    broken,
    break: ({ fault, service: place, minutesBefore }) => {
      const known = SHOP_FAULTS.find(({ kind }) => kind === fault);
      if (!known)
        throw new Refusal(
          `There is no fault "${fault}". Available: ${SHOP_FAULTS.map(({ kind }) => kind).join(', ')}.`,
        );
      if (!known.services.includes(place))
        throw new Refusal(
          `${known.title} cannot occur in "${place}". Possible: ${known.services.join(', ')}.`,
        );
      if (broken().some((one) => one.kind === known.kind && one.service === place))
        throw new Refusal(`${known.title} is already active in ${place}.`);
      const from = clock.now() - (minutesBefore === undefined ? NOTICED_AFTER : minutesBefore * MINUTE);
      service.inject({ kind: known.kind, service: place, from, to: OPEN_END });
    },
    repair: () => service.repair(),
    refresh: () => {
      const now = clock.now();
      service.renew({ olderThan: now - LASTS_CLEARLY, from: now - NOTICED_AFTER });
    },
  };
}
