import { OperatorError } from '../../lib/io.ts';

/** `kill` is SIGKILL, `stop` is a graceful shutdown; `restart` is `stop`, then `start`. */
export const BOT_COMMANDS = ['kill', 'stop', 'start', 'restart'] as const;
export type BotCommand = (typeof BOT_COMMANDS)[number];

export type BotState = 'running' | 'starting' | 'stopping' | 'down';

/** Controls the bot's process. */
export interface BotControl {
  state(): BotState;
  /**
   * Resolves once it has taken effect: after `start` and `restart` the bot is running, after `stop` and `kill` it is down.
   *
   * @throws BotControlError if the command is not possible now.
   */
  run(command: BotCommand): Promise<void>;
  /** `listener` is called after each change of the state. */
  onChange(listener: () => void): void;
}

/** Why a command failed, in a sentence for a person. */
export class BotControlError extends OperatorError {
  override name = 'BotControlError';
}
