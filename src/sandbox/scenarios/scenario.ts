import type { Clock } from '../../lib/clock.ts';
import type { FaultKind } from '../shop/faults.ts';
import type { SimulatedService } from '../simulated-service.ts';
import type { PageAlertKind, PageBotCommand } from '../slack/page-panel.ts';
import type { PostAlert } from './alerts.ts';
import type { BotControl } from './bot-command.ts';
import { Refusal } from './refusal.ts';
import type { ShopControl } from './shop.ts';

/** One thing that happens in a scenario. Alerts are posted in #alerts. */
type Step =
  | { do: 'break'; fault: FaultKind; service: string; minutesBefore: number }
  | { do: 'repair' }
  /** Without `service` and `symptom` it is about what is broken. */
  | { do: 'alert'; tool: string; how: PageAlertKind; service?: string; symptom?: string }
  | { do: 'service'; down: boolean }
  | { do: 'bot'; command: PageBotCommand }
  | { do: 'wait'; seconds: number };

/** What can happen around Gumshoe, to be watched from beginning to end: a file of `stories/`, and a line of its registry. */
export interface Scenario {
  /** As in `npm start -- --scenario <name>`. */
  name: string;
  title: string;
  /** What is to be seen, in one sentence. */
  about: string;
  steps: readonly Step[];
}

/** What the steps of a scenario need. */
export interface ScenarioContext {
  shop: ShopControl;
  service: SimulatedService;
  alert: PostAlert;
  /** Where someone can steer the bot. */
  bot: BotControl | undefined;
  /** The channel in which alerts are posted. */
  channel: () => string;
  clock: Clock;
  signal: AbortSignal;
  /** Called after each step. */
  onStep(): void;
}

/**
 * Plays a scenario to its end. The shop is mended before, so that what is found is what the scenario broke, which stays broken.
 *
 * @throws Refusal, SlackError, or the signal's reason.
 */
export async function playScenario({ steps }: Scenario, properties: ScenarioContext): Promise<void> {
  if (steps.length > 0) properties.shop.repair();
  for (const step of steps) {
    await runStep(step, properties);
    properties.onStep();
  }
}

async function runStep(
  checkpoint: Step,
  { shop, service, alert, bot, channel, ...time }: ScenarioContext,
): Promise<void> {
  switch (checkpoint.do) {
    case 'break':
      return shop.break(checkpoint);
    case 'repair':
      return shop.repair();
    case 'alert': {
      const { tool, how, ...about } = checkpoint;
      return alert({ tool, how, channel: channel(), about });
    }
    case 'service':
      return checkpoint.down ? service.goDown() : service.comeBack();
    case 'bot':
      if (!bot) throw new Refusal('Nobody here can stop or start Gumshoe.');
      return bot.run(checkpoint.command);
    case 'wait':
      return time.clock.sleep(checkpoint.seconds * 1000, time.signal);
  }
}
