import { OperatorError } from '../../lib/operator-error.ts';
import type { PageBotCommand, PageBotState } from '../slack/page-panel.ts';

/** The bot's process, as whoever runs it lets others steer it. */
export interface BotControl {
  state(): PageBotState;
  /**
   * Resolves once it is done: after `start` and `restart` the bot runs, after `stop` and `kill` it is gone.
   *
   * @throws BotControlError with a sentence where it cannot be done.
   */
  run(command: PageBotCommand): Promise<void>;
  /** `listener` is called after each change of the state. */
  onChange(listener: () => void): void;
}

/** Why a command could not be done, in a sentence for a person. */
export class BotControlError extends OperatorError {
  override name = 'BotControlError';
}
