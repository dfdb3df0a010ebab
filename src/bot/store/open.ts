import type { KyselyPlugin } from 'kysely';
import { type Clock, withTimeout } from '../../lib/clock.ts';
import { type ActStore, actStore } from './acts.ts';
import { type AlertStore, alertStore } from './alerts.ts';
import { type ArtifactStore, artifactStore } from './artifacts.ts';
import { type AuditStore, auditStore } from './audit.ts';
import { type BlockerStore, blockerStore } from './blockers.ts';
import { type CardStore, cardStore } from './cards.ts';
import { type ChangeStore, changeStore } from './changes.ts';
import { type ChannelStore, channelStore } from './channels.ts';
import { type ChecklistStepStore, checklistStepStore } from './checklist-steps.ts';
import { type ConversationStore, conversationStore } from './conversations.ts';
import { openPostgres, type PostgresOptions } from './dialects/postgres.ts';
import type { Replicas } from './dialects/postgres-replicas.ts';
import { openSqliteFile, type SqliteOptions } from './dialects/sqlite.ts';
import { type DigestStore, digestStore } from './digests.ts';
import { type ErasureStore, erasureStore } from './erasure.ts';
import { type FileStore, fileStore } from './files.ts';
import { type FlagStore, flagStore } from './flags.ts';
import { type HoldStore, holdStore } from './holds.ts';
import { type HygieneStore, hygieneStore } from './hygiene.ts';
import { type IdentityOverrideStore, identityOverrideStore } from './identity-overrides.ts';
import { type InboxStore, inboxStore } from './inbox.ts';
import { type IssueStore, issueStore } from './issues.ts';
import { type NoteStore, noteStore } from './notes.ts';
import { type OutboxStore, outboxStore } from './outbox.ts';
import { type OverviewStore, overviewStore } from './overview.ts';
import { type ProgressStore, progressStore } from './progress.ts';
import { type QuestionStore, questionStore } from './questions.ts';
import { type QueuedStore, queuedStore } from './queued.ts';
import { type ReceivedAlertStore, receivedAlertStore } from './received-alerts.ts';
import { type ResultStore, resultStore } from './results.ts';
import { type SenderStore, senderStore } from './senders.ts';
import { type SessionStore, sessionStore } from './sessions.ts';
import { type SetupStore, setupStore } from './setup.ts';
import { type SilenceStore, silenceStore } from './silences.ts';
import { type SweepStore, sweepStore } from './sweep.ts';
import type { Database } from './tables.ts';
import { type TicketStore, ticketStore } from './tickets.ts';
import { type TombstoneStore, tombstoneStore } from './tombstones.ts';
import { type VerdictStore, verdictStore } from './verdicts.ts';
import { type VoteStore, voteStore } from './votes.ts';
import { createWakeups, namedWakeups, type Queue, type Wake, type Wakeups } from './wakeups.ts';
import { type WebhookStore, webhookStore } from './webhooks.ts';

/** The aggregates, on the database itself or inside a transaction. */
export interface Aggregates {
  acts: ActStore;
  inbox: InboxStore;
  outbox: OutboxStore;
  alerts: AlertStore;
  issues: IssueStore;
  results: ResultStore;
  progress: ProgressStore;
  conversations: ConversationStore;
  questions: QuestionStore;
  audit: AuditStore;
  changes: ChangeStore;
  channels: ChannelStore;
  holds: HoldStore;
  identityOverrides: IdentityOverrideStore;
  flags: FlagStore;
  erasure: ErasureStore;
  files: FileStore;
  digests: DigestStore;
  hygiene: HygieneStore;
  verdicts: VerdictStore;
  votes: VoteStore;
  notes: NoteStore;
  tickets: TicketStore;
  checklistSteps: ChecklistStepStore;
  overview: OverviewStore;
  artifacts: ArtifactStore;
  tombstones: TombstoneStore;
  blockers: BlockerStore;
  cards: CardStore;
  sessions: SessionStore;
  sweep: SweepStore;
  queued: QueuedStore;
  setup: SetupStore;
  senders: SenderStore;
  silences: SilenceStore;
  webhooks: WebhookStore;
  receivedAlerts: ReceivedAlertStore;
  /** Whether issues filed from private channels go to a separate organization. */
  hasPrivateOrganization: boolean;
}

/** The open store: all SQL goes through it. */
export interface Store extends Aggregates {
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
  close(): Promise<void>;
}

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

function aggregates(db: Database, replica: string, wake: Wake): Omit<Aggregates, 'hasPrivateOrganization'> {
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
    files: fileStore(db, wake),
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
    blockers: blockerStore(db),
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
