import type { KyselyPlugin } from 'kysely';
import { type Clock, withTimeout } from '../../lib/clock.ts';
import { actStore } from './acts.ts';
import { alertStore } from './alerts.ts';
import { artifactStore } from './artifacts.ts';
import { auditStore } from './audit.ts';
import { cardStore } from './cards.ts';
import { changeStore } from './changes.ts';
import { channelStore } from './channels.ts';
import { checklistStepStore } from './checklist-steps.ts';
import { conversationStore } from './conversations.ts';
import { openPostgres, type PostgresOptions } from './dialects/postgres.ts';
import type { Replicas } from './dialects/postgres-replicas.ts';
import { openInMemory, openSqliteFile, type SqliteOptions } from './dialects/sqlite.ts';
import { digestStore } from './digests.ts';
import { erasureStore } from './erasure.ts';
import { fileStore } from './files.ts';
import { flagStore } from './flags.ts';
import { holdStore } from './holds.ts';
import { hygieneStore } from './hygiene.ts';
import { identityOverrideStore } from './identity-overrides.ts';
import { inboxStore } from './inbox.ts';
import { type Issue, issueStore } from './issues.ts';
import { noteStore } from './notes.ts';
import { outboxStore } from './outbox.ts';
import { overviewStore } from './overview.ts';
import { problemStore } from './problems.ts';
import { progressStore } from './progress.ts';
import { questionStore } from './questions.ts';
import { queuedStore } from './queued.ts';
import { receivedAlertStore } from './received-alerts.ts';
import { resultStore } from './results.ts';
import { senderStore } from './senders.ts';
import { sessionStore } from './sessions.ts';
import { setupStore } from './setup.ts';
import { silenceStore } from './silences.ts';
import { sweepStore } from './sweep.ts';
import type { Database } from './tables.ts';
import { ticketStore } from './tickets.ts';
import { tombstoneStore } from './tombstones.ts';
import { verdictStore } from './verdicts.ts';
import { voteStore } from './votes.ts';
import { createWakeups, namedWakeups, type Queue, type Wake, type Wakeups, wakeNobody } from './wakeups.ts';
import { webhookStore } from './webhooks.ts';

/** The aggregates, on the database itself or inside a transaction. */
export type Aggregates = ReturnType<typeof aggregates> & {
  /** Whether issues filed from private channels go to a separate organization. */
  hasPrivateOrganization: boolean;
};

/** The open store: all SQL goes through it. */
export type Store = Aggregates & {
  /** Commits all of `work` or none of it, then wakes the workers that have work to do. */
  transaction<T>(work: (tx: Aggregates) => Promise<T>): Promise<T>;
  /** `null` if no other process uses this database. */
  replicas: Replicas | null;
  /** The same store, for work that stops once `check` throws: it is called before every statement and every commit. */
  checkedBy(check: () => void): Store;
  /** Whether the database accepts writes right now. */
  writable(): Promise<boolean>;
  /** Returns some of the space of deleted rows to the disk; false when there is no more. */
  releaseFreePages(): Promise<boolean>;
  /** Empties the write-ahead log, which still contains deleted rows; false while a reader blocks it. */
  truncateLog(): Promise<boolean>;
  /** A store in memory that leaves no trace: it has the channels' settings and what people taught, and no alerts. */
  scratch(): Promise<Scratch>;
  close(): Promise<void>;
};

export type Scratch = Aggregates & {
  /** Takes an issue over as it is given, investigated, and instead of another with its identity. */
  adopt(issue: Issue): Promise<void>;
  close(): Promise<void>;
};

/** Connecting to a dead server takes longer than a load balancer waits. */
const PROBE_MS = 2_000;

/** Where the data is: a SQLite file for one process, or a PostgreSQL database for any number of replicas. */
export type StoreLocation =
  | Pick<SqliteOptions, 'file' | 'lockWaitMs' | 'signal' | 'onWait' | 'isDurable'>
  | Pick<PostgresOptions, 'url' | 'random' | 'onConnectionLost' | 'signal'>;

export type StoreOptions = StoreLocation & {
  clock: Clock;
  /** The private organization has an API key. */
  hasPrivateOrganization?: boolean;
  /** What the workers wait on: a committed write that creates work for a worker wakes it. */
  wakeups?: Wakeups;
  /** Wakes the workers of other replicas. */
  notify?: Wake;
};

/**
 * Opens the database for this process, checks it, and migrates it.
 *
 * @throws StoreError in words for the operator: held by another process, damaged, too new, not writable, not reachable.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { hasPrivateOrganization = false, wakeups = createWakeups(), notify } = options;
  const opened = await ('file' in options ? openSqliteFile(options) : openPostgres(options));
  const { db, replicas, releaseFreePages, truncateLog, close } = opened;
  const replica = opened.replicas?.id ?? '';
  const named = namedWakeups(wakeups);
  const wake: Wake = (queue) => {
    named.get(queue)?.wake();
    notify?.(queue);
  };
  const storeWith = (check: (() => void) | null): Store => {
    const on = (database: Database, wakeAfterwards: Wake) => ({
      ...aggregates(
        check === null ? database : database.withPlugin(checking(check)),
        replica,
        wakeAfterwards,
      ),
      hasPrivateOrganization,
    });
    const store = on(db, wake);
    return {
      ...store,
      transaction: async (work) => {
        const queues = new Set<Queue>();
        const result = await opened.transaction(async (trx) => {
          const done = await work(on(trx, (queue) => void queues.add(queue)));
          check?.();
          return done;
        });
        for (const queue of queues) wake(queue);
        return result;
      },
      replicas,
      checkedBy: storeWith,
      writable: () =>
        replicas === null
          ? store.flags.probe()
          : withTimeout(store.flags.probe(), { ms: PROBE_MS, clock: options.clock, onTimeout: () => false }),
      releaseFreePages,
      truncateLog,
      scratch: async () => {
        const memory = await openInMemory(db);
        const adopt = async (issue: Issue): Promise<void> => {
          const { identity, version } = issue;
          await memory.db
            .updateTable('issues')
            .set({ isOpen: false })
            .where('identity', '=', identity)
            .execute();
          const row = { ...issue, endedVersion: version };
          await memory.db
            .insertInto('issues')
            .values(row)
            .onConflict((c) => c.column('id').doUpdateSet(row))
            .execute();
        };
        return { ...on(memory.db, wakeNobody), adopt, close: memory.close };
      },
      close,
    };
  };
  return storeWith(null);
}

/** Calls it before every statement. */
function checking(check: () => void): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      check();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

function aggregates(db: Database, replica: string, wake: Wake) {
  return {
    acts: actStore(db),
    inbox: inboxStore(db, replica),
    outbox: outboxStore(db, wake),
    alerts: alertStore(db),
    issues: issueStore(db, wake),
    results: resultStore(db),
    progress: progressStore(db),
    conversations: conversationStore(db, wake),
    questions: questionStore(db, wake),
    audit: auditStore(db),
    changes: changeStore(db),
    channels: channelStore(db),
    holds: holdStore(db, wake),
    identityOverrides: identityOverrideStore(db),
    flags: flagStore(db, wake),
    erasure: erasureStore(db),
    files: fileStore(db),
    digests: digestStore(db),
    hygiene: hygieneStore(db),
    verdicts: verdictStore(db),
    votes: voteStore(db),
    notes: noteStore(db),
    tickets: ticketStore(db),
    queued: queuedStore(db),
    checklistSteps: checklistStepStore(db),
    overview: overviewStore(db),
    artifacts: artifactStore(db, wake),
    tombstones: tombstoneStore(db),
    problems: problemStore(db),
    cards: cardStore(db),
    sessions: sessionStore(db),
    sweep: sweepStore(db),
    setup: setupStore(db),
    senders: senderStore(db),
    silences: silenceStore(db),
    webhooks: webhookStore(db, wake),
    receivedAlerts: receivedAlertStore(db, wake),
  };
}
