import type { Clock } from '../../lib/clock.ts';
import type { SimulatedService } from '../simulated-service.ts';
import type { PlayAlert } from './alerts.ts';
import type { BotControl } from './bot-command.ts';
import { Refusal } from './refusal.ts';
import type { Scenario, Step } from './scenario.ts';
import type { Shop } from './shop.ts';

/** What the steps of a scenario need. */
export interface Properties {
  shop: Shop;
  service: SimulatedService;
  alert: PlayAlert;
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
export async function playScenario({ steps }: Scenario, properties: Properties): Promise<void> {
  if (steps.length > 0) properties.shop.mend();
  for (const step of steps) {
    await take(step, properties);
    properties.onStep();
  }
}

async function take(
  checkpoint: Step,
  { shop, service, alert, bot, channel, ...time }: Properties,
): Promise<void> {
  switch (checkpoint.do) {
    case 'break':
      return shop.break(checkpoint);
    case 'mend':
      return shop.mend();
    case 'alert': {
      const { tool, how, ...about } = checkpoint;
      return alert({ tool, how, channel: channel(), about });
    }
    case 'service':
      return checkpoint.down ? service.goDown() : service.comeBack();
    case 'bot':
      if (!bot) throw new Refusal('Nobody here can stop or start Gumshoe.');
      return bot.do(checkpoint.deed);
    case 'wait':
      return time.clock.sleep(checkpoint.seconds * 1000, time.signal);
  }
}
