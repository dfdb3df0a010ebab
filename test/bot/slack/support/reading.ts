import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMayRead, type MayReadOptions } from '../../../../src/bot/slack/access/may-read.ts';
import { instantClock } from '../../../support/manual-clock.ts';
import { testSlack } from '../../../support/slack.ts';

/** Who may read what, with a Slack that knows nobody unless it is given. */
export function mayReadOf({
  store,
  ...options
}: Partial<MayReadOptions> & { store: MayReadOptions['store'] }) {
  const clock = options.clock ?? instantClock();
  return createMayRead({
    store,
    client: testSlack(clock).client,
    clock,
    log: createLogger('silent'),
    people: { isAdmin: async () => false },
    isPrivateChannel: async () => false,
    ...options,
  });
}
