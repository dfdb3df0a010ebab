import type { Clock } from '../../lib/clock.ts';
import type { FaultKind } from '../shop/faults.ts';
import type { SimulatedService } from '../simulated-service.ts';
import type { AlertKind, PostAlert } from './alerts.ts';
import type { ShopControl } from './shop.ts';

/** One step of a scenario. Alerts are posted in #alerts. */
export type Step =
  | { do: 'break'; fault: FaultKind; service: string; minutesBefore: number }
  | { do: 'repair' }
  /** Without `service` and `symptom` the alert is about the newest active fault. */
  | { do: 'alert'; tool: string; how: AlertKind; service?: string; symptom?: string }
  | { do: 'service'; down: boolean }
  | { do: 'wait'; seconds: number };

/** A sequence of events around Gumshoe, listed in `catalogue.ts`. */
export interface Scenario {
  /** As in `npm start -- --scenario <name>`. */
  name: string;
  title: string;
  /** What to watch for, in one sentence. */
  about: string;
  steps: readonly Step[];
}

/** What the steps of a scenario act on. */
export interface ScenarioContext {
  shop: ShopControl;
  service: SimulatedService;
  alert: PostAlert;
  /** The channel in which alerts are posted. */
  channel: () => string;
  clock: Clock;
  signal: AbortSignal;
  /** Called after each step. */
  onStep(): void;
}

/**
 * Plays a scenario to its end. The shop is repaired first, so that an investigation finds only the scenario's own fault,
 * which stays active afterwards.
 *
 * @throws Refusal, SlackError, or the signal's reason.
 */
export async function playScenario({ steps }: Scenario, context: ScenarioContext): Promise<void> {
  if (steps.length > 0) context.shop.repair();
  for (const step of steps) {
    await runStep(step, context);
    context.onStep();
  }
}

async function runStep(
  step: Step,
  { shop, service, alert, channel, ...time }: ScenarioContext,
): Promise<void> {
  switch (step.do) {
    case 'break':
      return shop.break(step);
    case 'repair':
      return shop.repair();
    case 'alert': {
      const { tool, how, ...about } = step;
      return alert({ tool, how, channel: channel(), about });
    }
    case 'service':
      return step.down ? service.goDown() : service.comeBack();
    case 'wait':
      return time.clock.sleep(step.seconds * 1000, time.signal);
  }
}
