import { createCreator } from '../../../src/bot/filing/create.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createOriginOf } from '../../../src/bot/slack/access/consent.ts';
import { cardIntent } from '../../../src/bot/store/intents/issue-intents.ts';
import { type Checkpoint, noCheckpoint } from '../../../src/lib/clock.ts';
import { type FakeService, fakeService } from '../../support/fake-service.ts';
import { newIssue } from '../../support/issues.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { until } from '../../support/until.ts';

/** The creator on a real store, with a service in memory. */
export interface Creating extends AsyncDisposable {
  opened: TestStore;
  service: FakeService;
  creator: ReturnType<typeof createCreator>;
  /** Stores an issue to be created, with its card wanted and delivered. */
  file(id?: string): Promise<void>;
  /** Moves the clock on and wakes the creator. */
  wake(ms: number): Promise<void>;
  /** Does so minute by minute, until `look` answers. */
  until<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T>;
}

export async function creating(checkpoint: Checkpoint = noCheckpoint): Promise<Creating> {
  const opened = await openTestStore();
  const { store, clock } = opened;
  const service = fakeService();
  const filed = opened.wakeups.filed.default;
  const creator = createCreator({
    store,
    service: service.client,
    organization: 'default',
    originOf: createOriginOf({ store, languageModel: async () => null }),
    clock,
    random: () => 0.5,
    log: createLogger('silent'),
    filed,
    checkpoint,
  });
  const wake = async (ms: number) => {
    await clock.sleep(ms);
    filed.wake();
  };
  return {
    opened,
    wake,
    service,
    creator,
    file: async (id = 'issue-1') => {
      const request = {
        title: 'CPU is high',
        description: `CPU is high\n\n---\nReference: gumshoe-${id}`,
        environment: 'production',
      };
      await store.issues.add(newIssue({ id, identity: `cpu@${id}`, request: JSON.stringify(request) }));
      await store.outbox.want(cardIntent({ id, channel: 'C1', threadTs: '1.0', requestedBy: null }, 0));
      await store.outbox.delivered(`card:${id}`, 1);
    },
    until: (what, look) =>
      until(what, async () => {
        const seen = await look();
        if (seen) return seen;
        await wake(60_000);
        return null;
      }),
    [Symbol.asyncDispose]: async () => {
      await creator.stop();
      await opened[Symbol.asyncDispose]();
    },
  };
}
