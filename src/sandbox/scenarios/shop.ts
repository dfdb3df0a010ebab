import type { Clock } from '../../lib/clock.ts';
import type { Fault } from '../shop/faults.ts';
import type { SimulatedService } from '../simulated-service.ts';
import type { PageShop } from '../slack/page-panel.ts';
import { SHOP_FAULTS } from './problems.ts';
import { Refusal } from './refusal.ts';

const MINUTE = 60_000;
/** Monitoring notices what is wrong some minutes after it began: then the telemetry tells of it clearly. */
const NOTICED_AFTER = 3 * MINUTE;
/** The investigator compares with the time before; after an hour and a half it sees nothing but trouble. */
const LASTS_CLEARLY = 45 * MINUTE;
/** The last moment that a date can have. */
const OPEN_END = 8_640_000_000_000_000;

/** The simulated shop as people break and mend it. */
export interface ShopControl {
  view(): PageShop;
  /** What is broken now, the newest last. */
  broken(): Fault[];
  /** From a few minutes ago until it is mended. Throws a Refusal. */
  break(input: { fault: string; service: string; minutesBefore?: number }): void;
  repair(): void;
  /** What is broken for long begins anew, so that an investigation still sees the difference. */
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
      const trouble = SHOP_FAULTS.find(({ kind }) => kind === fault);
      if (!trouble)
        throw new Refusal(
          `No fault is called "${fault}" here; there are ${SHOP_FAULTS.map(({ kind }) => kind).join(', ')}.`,
        );
      if (!trouble.services.includes(place))
        throw new Refusal(
          `${trouble.title} cannot happen at "${place}", but at ${trouble.services.join(', ')}.`,
        );
      if (broken().some((one) => one.kind === trouble.kind && one.service === place))
        throw new Refusal(`${trouble.title} is at ${place} already.`);
      const from = clock.now() - (minutesBefore === undefined ? NOTICED_AFTER : minutesBefore * MINUTE);
      service.inject({ kind: trouble.kind, service: place, from, to: OPEN_END });
    },
    repair: () => service.repair(),
    refresh: () => {
      const now = clock.now();
      service.renew({ olderThan: now - LASTS_CLEARLY, from: now - NOTICED_AFTER });
    },
  };
}
