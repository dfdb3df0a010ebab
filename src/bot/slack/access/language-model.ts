import type { ServiceClient } from '../../../contract/client/client.ts';
import type { LanguageModel } from '../../../contract/schema.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../shared/log.ts';

/** The language model that the service uses; `null` if it has none, or does not say. Never rejects. */
export type LanguageModelOf = () => Promise<LanguageModel | null>;

const CACHE_MS = 60_000;
/** Slack opens no modal later than three seconds after a press. */
const LONGEST_WAIT_MS = 1_000;

/** Asks the service, at most once a minute; while it does not answer, what it said last counts. */
export function createLanguageModelOf({
  service,
  clock,
  log,
}: {
  service: Pick<ServiceClient, 'languageModel'>;
  clock: Clock;
  log: Logger;
}): LanguageModelOf {
  let last: LanguageModel | null = null;
  let until = 0;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const over = new AbortController();
    const timer = clock.sleep(LONGEST_WAIT_MS, over.signal).then(
      () => over.abort(),
      () => undefined,
    );
    try {
      last = await service.languageModel(over.signal);
    } catch (error) {
      log.info({ err: error }, 'the service did not say which language model it uses');
    } finally {
      over.abort();
      await timer;
      until = clock.now() + CACHE_MS;
      asking = null;
    }
  }

  return async () => {
    if (clock.now() >= until) {
      asking ??= ask();
      await asking;
    }
    return last;
  };
}
