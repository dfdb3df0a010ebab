import type { Between } from '../chaos/environment.ts';
import { startFaultProxy } from '../proxies/fault-proxy.ts';
import type { HttpProxy } from '../proxies/proxy.ts';
import type { FaultKind, Injected } from './kinds.ts';
import { createPlan } from './plan.ts';

const SLACK = 'slack.test';
const SERVICE = 'service.test';
/** Of the requests of the service there are fewer, and a stream in a few of them. */
const RATES = { slack: 0.15, service: 0.4 };

/** Faults on both sides of the program. */
export interface Faults {
  between: Between;
  /** What the program needs to know of it. */
  env: Record<string, string>;
  /** Tells the program that a name is unknown for a while; to be set once it runs. */
  forget: (host: string, ms: number) => void;
  slack: Injected;
  service: Injected;
  missing(): { slack: FaultKind[]; service: FaultKind[] };
  /** Has what is missing come soon. */
  hurry(): void;
  /** From now on everything passes. */
  end(): void;
}

export function createFaults(seed: number): Faults {
  const plans = {
    slack: createPlan({ seed, rate: RATES.slack, streams: false }),
    service: createPlan({ seed: seed + 1, rate: RATES.service, streams: true }),
  };
  const forget = (host: string, ms: number) => faults.forget(host, ms);
  const stand = (url: string, side: keyof typeof plans, host: string): Promise<HttpProxy> =>
    startFaultProxy({ target: new URL(url), host, plan: plans[side], forget });
  const faults: Faults = {
    env: { KNOWN_NAMES: `${SLACK},${SERVICE}` },
    slack: plans.slack.injected,
    service: plans.service.injected,
    forget: () => undefined,
    missing: () => ({ slack: plans.slack.missing(), service: plans.service.missing() }),
    hurry: () => {
      for (const plan of Object.values(plans)) if (plan.missing().length > 0) plan.hurry();
    },
    end: () => {
      plans.slack.end();
      plans.service.end();
    },
    between: async (urls) => {
      const slack = await stand(urls.slack, 'slack', SLACK);
      const service = await stand(urls.service, 'service', SERVICE);
      return {
        slack: at(urls.slack, SLACK, slack),
        service: at(urls.service, SERVICE, service),
        close: async () => {
          await slack.close();
          await service.close();
        },
      };
    },
  };
  return faults;
}

function at(url: string, host: string, { port }: HttpProxy): string {
  const own = new URL(url);
  own.host = `${host}:${port}`;
  return own.href;
}
