import type { PageBotCommand, PageBotState } from 'local-slack';
import { OperatorError } from '../../lib/io.ts';

/** Controls the bot's process. */
export interface BotControl {
  state(): PageBotState;
  /**
   * Resolves once it has taken effect: after `start` and `restart` the bot is running, after `stop` and `kill` it is down.
   *
   * @throws BotControlError if the command is not possible now.
   */
  run(command: PageBotCommand): Promise<void>;
  /** `listener` is called after each change of the state. */
  onChange(listener: () => void): void;
}

/** Why a command failed, in a sentence for a person. */
export class BotControlError extends OperatorError {
  override name = 'BotControlError';
}
