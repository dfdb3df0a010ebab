import { setTimeout as sleep } from 'node:timers/promises';
import { answerFalsely } from '../faults/false-answers.ts';
import type { Fault } from '../faults/kinds.ts';
import type { Plan } from '../faults/plan.ts';
import { type Exchange, type HttpProxy, startProxy } from './proxy.ts';

export interface FaultProxyOptions {
  /** The neighbor's origin. */
  target: URL;
  /** How the program writes our host. */
  host: string;
  plan: Plan;
  /** Takes the name away for so long, in milliseconds. */
  forget(host: string, ms: number): void;
}

/** Passes everything on, and injects what the plan says. */
export async function startFaultProxy({ target, host, plan, forget }: FaultProxyOptions): Promise<HttpProxy> {
  async function inject(fault: Fault, exchange: Exchange): Promise<void> {
    switch (fault.kind) {
      case 'latency':
        await sleep(fault.ms);
        return exchange.pass();
      case 'reset before the effect':
        return void exchange.response.destroy();
      case 'refused connections':
        return proxy.refuse(fault.ms);
      case 'unknown host':
        forget(host, fault.ms);
        return proxy.cut();
      default:
        return answerFalsely(fault, exchange, target);
    }
  }

  const proxy = await startProxy({
    target,
    host,
    readdresses: true,
    handle: (exchange) => {
      const { accept } = exchange.request.headers;
      const fault = plan.next({ isStream: accept?.includes('text/event-stream') === true });
      return fault === null ? exchange.pass() : inject(fault, exchange);
    },
  });
  return proxy;
}
