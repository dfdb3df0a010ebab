import { fileAnotherCause } from '../../../src/bot/filing/another-cause.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics, type Metrics } from '../../../src/bot/shared/metrics.ts';
import type { NewIssue } from '../../../src/bot/store/issues.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import { createPoller, type Poller } from '../../../src/bot/watching/poll.ts';
import type { OnResults } from '../../../src/bot/watching/sync-issue.ts';
import type { IssueDetail } from '../../../src/contract/answers.ts';
import { type Checkpoint, noCheckpoint } from '../../../src/lib/clock.ts';
import { type FakeService, fakeService } from '../../support/fake-service.ts';
import { addCreated, uuidOf } from '../../support/issues.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';

/** The poller on a real store, with a service in memory. */
export interface Watching extends AsyncDisposable {
  opened: TestStore;
  store: Store;
  service: FakeService;
  poller: Poller;
  metrics: Metrics;
  /** Issue `number`, id `issue-<number>`, under investigation here and at the service. */
  investigation(number?: number, overrides?: Partial<NewIssue>): Promise<void>;
  /** Changes an issue at the service, behind our back. */
  elsewhere(number: number, change: Partial<IssueDetail>): void;
  /** What is to be said in Slack, beside cards: the keys, sorted. */
  said(): Promise<string[]>;
}

const FOUND = { rootCause: { rootCauseSummary: 'The pool is full.' } };

export async function watching(
  options: { checkpoint?: Checkpoint; around?: (store: Store) => Store; onResults?: OnResults } = {},
): Promise<Watching> {
  const opened = await openTestStore();
  const service = fakeService();
  const metrics = createMetrics();
  const { store, clock } = opened;
  const poller = createPoller({
    store: options.around ? options.around(store) : store,
    service: service.client,
    organization: 'default' as const,
    clock,
    random: () => 0.5,
    log: createLogger('silent'),
    metrics,
    checkpoint: options.checkpoint ?? noCheckpoint,
    onResults: options.onResults ?? (async () => undefined),
    fileAnotherCause: (tx, issue, found) =>
      fileAnotherCause(tx, issue, found, {
        clock,
        defaultEnvironment: 'production',
        permalink: (channel, ts) => `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
      }),
  });
  return {
    opened,
    store,
    service,
    poller,
    metrics,
    investigation: async (number = 1, overrides = {}) => {
      const id = `issue-${number}`;
      await addCreated(store, clock.now(), {
        id,
        identity: `cpu-${number}@production`,
        number,
        ...overrides,
      });
      const uuid = uuidOf(number);
      service.issues.set(uuid, { uuid, number, status: 'investigating', latestVersion: 1 });
      service.results.set(uuid, FOUND);
    },
    elsewhere: (number, change) => {
      const issue = service.issues.get(uuidOf(number));
      if (!issue) throw new Error(`the service has no issue ${number}`);
      service.issues.set(uuidOf(number), { ...issue, ...change });
    },
    said: async () => {
      const rows = await store.outbox.due(Number.MAX_SAFE_INTEGER, 100);
      return rows.filter((row) => row.kind !== 'card').map((row) => `${row.key} ${row.payload}`);
    },
    [Symbol.asyncDispose]: async () => {
      await poller.stop();
      await opened[Symbol.asyncDispose]();
    },
  };
}
