import type { WebClient } from '@slack/web-api';
import { backoffMs, type Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { classifySlackError, terminalSlackError } from '../errors.ts';

const RETRY = { firstMs: 500, maxMs: 30_000 };

export interface TokenGuard {
  /** Slack refused it once, or reports that it was revoked: verifies it. */
  doubt(): void;
}

/**
 * Ends the process only if `auth.test` says that the token is unusable (revoked, or the app uninstalled or disabled):
 * one odd response to another call is no reason to stop.
 */
export function createTokenGuard(options: {
  client: WebClient;
  clock: Clock;
  random: () => number;
  log: Logger;
  signal: AbortSignal;
  /** The process must end, showing this sentence. */
  onTerminal: (sentence: string) => void;
}): TokenGuard {
  const { client, clock, log, signal } = options;
  let trying = false;

  async function tryOut(): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await client.auth.test();
        return log.warn('Slack rejected the token for one call but still accepts it');
      } catch (error) {
        const sentence = terminalSlackError(error, 'SLACK_BOT_TOKEN');
        if (sentence !== null) return options.onTerminal(sentence);
        const wait = backoffMs(attempt, RETRY, options.random);
        log.warn({ reason: classifySlackError(error), waitMs: wait }, 'could not verify the token');
        await clock.sleep(wait, signal).catch(() => undefined);
      }
    }
  }

  return {
    doubt: () => {
      if (trying) return;
      trying = true;
      void tryOut().finally(() => {
        trying = false;
      });
    },
  };
}
