import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertStore } from '../../../src/bot/store/alerts.ts';
import { artifactStore } from '../../../src/bot/store/artifacts.ts';
import { auditStore } from '../../../src/bot/store/audit.ts';
import { cardStore } from '../../../src/bot/store/cards.ts';
import { changeStore } from '../../../src/bot/store/changes.ts';
import { channelStore } from '../../../src/bot/store/channels.ts';
import { conversationStore } from '../../../src/bot/store/conversations.ts';
import { columns, SqliteColumnsDialect } from '../../../src/bot/store/dialects/columns.ts';
import { digestStore } from '../../../src/bot/store/digests.ts';
import { holdStore } from '../../../src/bot/store/holds.ts';
import { identityOverrideStore } from '../../../src/bot/store/identity-overrides.ts';
import { inboxStore } from '../../../src/bot/store/inbox.ts';
import { issueStore } from '../../../src/bot/store/issues.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { outboxStore } from '../../../src/bot/store/outbox.ts';
import { overviewStore } from '../../../src/bot/store/overview.ts';
import { questionStore } from '../../../src/bot/store/questions.ts';
import { queuedStore } from '../../../src/bot/store/queued.ts';
import { receivedAlertStore } from '../../../src/bot/store/received-alerts.ts';
import { sessionStore } from '../../../src/bot/store/sessions.ts';
import { sweepStore } from '../../../src/bot/store/sweep.ts';
import type { Tables } from '../../../src/bot/store/tables.ts';
import { tombstoneStore } from '../../../src/bot/store/tombstones.ts';
import { voteStore } from '../../../src/bot/store/votes.ts';
import { webhookStore } from '../../../src/bot/store/webhooks.ts';
import { instantClock } from '../../support/manual-clock.ts';

const NOW = 1_795_221_000_000;
const ages = { over: NOW, spent: NOW };
const settled = { outcome: 'dismissed', decision: 'held', reason: 'r', issueId: null } as const;

/** Everything that is asked for each message, each tick or each card: none of it may grow with the history. */
const asked: Record<string, (db: Kysely<Tables>) => Promise<unknown>> = {
  'alerts.find': (db) => alertStore(db).find('C1', '1.1'),
  'alerts.ofIssue': (db) => alertStore(db).ofIssue('i1', 2),
  'alerts.ofIssue of a channel': (db) => alertStore(db).ofIssue('i1', 2, 'C1'),
  'alerts.countsAfter': (db) => alertStore(db).countsAfter('i1', { channel: 'C1', ts: '1.1' }),
  'alerts.countOfIssue': (db) => alertStore(db).countOfIssue('i1', 'C1'),
  'alerts.countProblemsSince': (db) => alertStore(db).countProblemsSince('C1', NOW),
  'alerts.countIgnoredSince': (db) => alertStore(db).countIgnoredSince('C1', 'suggested', NOW),
  'alerts.countFiledSince': (db) => alertStore(db).countFiledSince('C1', NOW),
  'alerts.newestIn': (db) => alertStore(db).newestIn('C1', 100),
  'alerts.inHold': (db) => alertStore(db).inHold('h1'),
  'alerts.countsInHold': (db) => alertStore(db).countsInHold('h1'),
  'alerts.holdsOf': (db) => alertStore(db).holdsOf('i1'),
  'alerts.waitingWithIssue': (db) => alertStore(db).heldWithIssue(),
  'alerts.waitsInHold': (db) => alertStore(db).hasUndecided('h1'),
  'alerts.waiting': (db) => alertStore(db).held('fp@production'),
  'alerts.waiting of a channel': (db) => alertStore(db).held('fp@production', 'C1'),
  'alerts.countWaiting': (db) => alertStore(db).countHeld('C1'),
  'alerts.settleAll': (db) => alertStore(db).settleAll(['C1:1.1', 'C1:1.2'], settled),
  'alerts.heldBecome': (db) => alertStore(db).heldBecome({ identity: 'a', detail: 'd' }, 'b'),
  'alerts.ignoredFor': (db) => alertStore(db).ignoredFor('fp@production', 'suggested', { since: 0 }),
  'alerts.newestRecovery': (db) =>
    alertStore(db).newestRecovery('fp@production', { channel: 'C1', since: NOW, from: '1.1' }),
  'alerts.newestFiring': (db) => alertStore(db).newestFiring('fp@production', { channel: 'C1', since: NOW }),
  'alerts.ignoredFor of a channel': (db) =>
    alertStore(db).ignoredFor('fp@production', 'suggested', { channel: 'C1', since: 0 }),
  'changes.begin': (db) => changeStore(db).begin({ cause: 'c1', version: 1, at: NOW }),
  'changes.isBegun': (db) => changeStore(db).isBegun('c1'),
  'changes.recorded': (db) => changeStore(db).recorded('c1'),
  'changes.forget': (db) => changeStore(db).forget('c1'),
  'issues.isAnyGoneSince': (db) => issueStore(db).isAnyGoneSince(NOW),
  'issues.get': (db) => issueStore(db).get('i1'),
  'issues.byUuid': (db) => issueStore(db).byUuid('u1'),
  'issues.byNumber': (db) => issueStore(db).byNumber(1),
  'issues.byThread': (db) => issueStore(db).byThread('C1', '1.1'),
  'issues.openByIdentity': (db) => issueStore(db).openByIdentity('fp@production'),
  'issues.lastClosed': (db) => issueStore(db).lastClosed('fp@production'),
  'issues.countFromAlerts': (db) => issueStore(db).countFromAlerts(NOW),
  'issues.nthFiledBy': (db) => issueStore(db).nthFiledBy('U1', NOW, 30),
  'issues.nthFromAlertsAt': (db) => issueStore(db).nthFromAlertsAt(500),
  'issues.symptomsOf': (db) => issueStore(db).symptomsOf('i1'),
  'issues.moveSymptoms': (db) => issueStore(db).moveSymptoms('i1', 'i2'),
  'cards.of': (db) =>
    cardStore(db).of({ id: 'i1', joinedInto: 'i2', apartFrom: null, symptomOf: 'i3', endedVersion: 1 }, 'C1'),
  'issues.wanting': (db) => issueStore(db).wanting(NOW, 10),
  'issues.muteEnded': (db) => issueStore(db).muteEnded(NOW),
  'issues.pending': (db) => issueStore(db).pending(NOW, 8),
  'issues.retryPending': (db) => issueStore(db).retryPending(),
  'waiting.pending': (db) => queuedStore(db).pending(500),
  'waiting.lines': (db) => queuedStore(db).lines(),
  'waiting.counts': (db) => queuedStore(db).counts('waiting:service:down:1:C1'),
  'issues.investigating': (db) => issueStore(db).investigating(),
  'issues.idle': (db) => issueStore(db).idle(NOW, 20),
  'issues.countWatched': (db) => issueStore(db).countWatched(),
  'holds.get': (db) => holdStore(db).get('h1'),
  'holds.current': (db) => holdStore(db).current('C1', false, NOW),
  'holds.grow': (db) => holdStore(db).grow('h1', NOW),
  'holds.doneWith': (db) => holdStore(db).doneWith(),
  'holds.calm': (db) => holdStore(db).calm(NOW),
  'identityOverrides.resolve': (db) => identityOverrideStore(db).resolve('fp@production', 'd'),
  'outbox.get': (db) => outboxStore(db).get('card:i1'),
  'outbox.again': (db) => outboxStore(db).again('card:i1'),
  'outbox.due': (db) => outboxStore(db).due(NOW, 20),
  'outbox.countDue': (db) => outboxStore(db).countDue(),
  'outbox.refreshCards': (db) => outboxStore(db).refreshCards('i1'),
  'outbox.shortCards': (db) => outboxStore(db).shortCards('i1'),
  'outbox.holdPosts': (db) => outboxStore(db).holdPosts('C1', NOW),
  'outbox.unplaced': (db) => outboxStore(db).unplaced('C1', NOW),
  'outbox.delivered': (db) => outboxStore(db).delivered('card:i1', 1),
  'digests.due': (db) => digestStore(db).due(NOW),
  'digests.open': (db) => digestStore(db).open('C1'),
  'digests.filed': (db) => digestStore(db).filed('C1', 0, NOW),
  'digests.resolved': (db) => digestStore(db).resolved('C1', 0, NOW),
  'digests.offenders': (db) => digestStore(db).offenders('C1', 0, NOW, 5),
  'votes.countIn': (db) => voteStore(db).countIn('C1', 0, NOW),
  'audit.ofIssue': (db) => auditStore(db).ofIssue('i1', 50),
  'audit.ofChannel': (db) => auditStore(db).ofChannel('C1', 50),
  'audit.lastToSet': (db) => auditStore(db).lastToSet(['C1']),
  'issues.countPending': (db) => issueStore(db).countPending(),
  'artifacts.due': (db) => artifactStore(db).due(NOW, 100),
  'artifacts.get': (db) => artifactStore(db).get('i1', 'a'),
  'channels.get': (db) => channelStore(db).get('C1'),
  'channels.seen': (db) => channelStore(db).seen('C1', '1.1'),
  'inbox.untilNext': (db) => inboxStore(db).untilNext(NOW),
  'inbox.open': (db) => inboxStore(db).open(NOW, { most: 100 }),
  'questions.get': (db) => questionStore(db).get('q1'),
  'questions.next': (db) => questionStore(db).next(8),
  'questions.begin': (db) => questionStore(db).begin('q1', NOW),
  'questions.requeueAsking': (db) => questionStore(db).requeueAsking(['q1'], NOW),
  'questions.stop': (db) => questionStore(db).stop('q1', 'U1', NOW),
  'questions.stopped': (db) => questionStore(db).stopped(['q1', 'q2']),
  'questions.askAgain': (db) => questionStore(db).askAgain('q1', NOW),
  'questions.refuse': (db) => questionStore(db).refuse('q1', 'r', NOW),
  'questions.offeredBy': (db) => questionStore(db).offeredBy('late:q1'),
  'questions.openOffer': (db) => questionStore(db).openOffer('q1'),
  'questions.underWay': (db) => questionStore(db).underWay('q1'),
  'questions.askingIn': (db) => questionStore(db).askingIn('C1'),
  'questions.waiting': (db) => questionStore(db).queued('q1'),
  'questions.ahead': (db) => questionStore(db).ahead({ id: 'q1', conversation: 'q1', createdAt: NOW }),
  'questions.answered': (db) => questionStore(db).answered('q1', 5),
  'questions.countBy': (db) => questionStore(db).countBy('U1', NOW),
  'questions.countIn': (db) => questionStore(db).countIn('C1', NOW),
  'questions.nthBy': (db) => questionStore(db).nthBy('U1', NOW, 30),
  'questions.nthIn': (db) => questionStore(db).nthIn('C1', NOW, 120),
  'conversations.listen': (db) => conversationStore(db).listen('q1', true, NOW),
  'tombstones.byUuid': (db) => tombstoneStore(db).byUuid('u'),
  'tombstones.unchecked': (db) => tombstoneStore(db).unchecked(NOW, 50),
  'sweep.issues': (db) => sweepStore(db).issues(ages, 200),
  'sweep.conversations': (db) => sweepStore(db).conversations(ages, 200),
  'sweep.alerts': (db) => sweepStore(db).alerts(ages, 200),
  'sweep.holds': (db) => sweepStore(db).holds(ages, 200),
  'sweep.files': (db) => sweepStore(db).files(ages, 200),
  'sessions.get': (db) => sessionStore(db).get({ channel: 'C1', threadTs: '1.1' }),
  'sessions.open': (db) => sessionStore(db).open(),
  'sessions.wanted': (db) => sessionStore(db).wanted({ offered: NOW, investigating: NOW, again: 'x' }),
  'sessions.isAnswerDue': (db) => sessionStore(db).isAnswerDue({ channel: 'C1', threadTs: '1.1' }),
  'questions.first': (db) => questionStore(db).first('q1'),
  'overview.newest': (db) => overviewStore(db).newest('C1'),
  'sweep.sessions': (db) => sweepStore(db).sessions(ages, 200),
  'webhooks.add': (db) => webhookStore(db).add({ source: 's', body: 'b', headers: {}, at: NOW }),
  'webhooks.open': (db) => webhookStore(db).open(NOW, 20),
  'receivedAlerts.get': (db) => receivedAlertStore(db).get('w1:0'),
  'receivedAlerts.firing': (db) => receivedAlertStore(db).firing('fp@production'),
  'receivedAlerts.since': (db) => receivedAlertStore(db).since('fp@production', NOW),
  'receivedAlerts.due': (db) => receivedAlertStore(db).due(NOW, 20),
  'outbox.countAlerts': (db) => outboxStore(db).countAlerts('C1'),
  'receivedAlerts.countUnrouted': (db) => receivedAlertStore(db).countUnrouted(),
  'sweep.webhooks': (db) => sweepStore(db).webhooks(ages, 200),
  'sweep.receivedAlerts': (db) => sweepStore(db).receivedAlerts(ages, 200),
  'sweep.inbox': (db) => sweepStore(db).inbox(ages, 200),
  'conversations.byThread': (db) => conversationStore(db).byThread('C1', '1.1'),
};

describe('what is asked for every message and every few seconds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-plans-'));
  const file = join(folder, 'gumshoe.db');
  const statements: string[] = [];
  let sqlite: Sqlite.Database;
  let db: Kysely<Tables>;

  beforeAll(async () => {
    await (await openStore({ file, clock: instantClock() })).close();
    sqlite = new Sqlite(file);
    const dialect = new SqliteColumnsDialect({ database: sqlite });
    db = new Kysely<Tables>({
      dialect,
      plugins: [...columns],
      log: ({ query }) => {
        statements.push(query.sql);
      },
    });
  });
  afterAll(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true });
  });

  /** The tables that a statement reads from end to end, or nearly: all issues are either open or closed. */
  function scans(statement: string): unknown[] {
    return planOf(statement).filter((detail) =>
      /^SCAN (?!newest|CONSTANT|json_each|\(subquery)| \(is_open=\?\)$/u.test(detail),
    );
  }

  function planOf(statement: string): string[] {
    const parameters = Array.from(statement.matchAll(/\?/gu), () => 0);
    return sqlite
      .prepare(`explain query plan ${statement}`)
      .all(...parameters)
      .map((step) => String(Object(step).detail));
  }

  it.each(Object.entries(asked))('%s reads no table from end to end', async (_name, ask) => {
    statements.length = 0;
    await ask(db);
    expect(statements).not.toEqual([]);
    expect(statements.flatMap(scans)).toEqual([]);
  });

  it('finds the issue of a thread by the thread, not among all of the channel', async () => {
    statements.length = 0;
    await issueStore(db).byThread('C1', '1.1');
    expect(statements.flatMap(planOf)).toEqual([
      'SEARCH issues USING INDEX issues_thread_created (channel=? AND thread_ts=?)',
    ]);
  });

  it('finds what was ignored or held of an alert among the few that were, not among all of its repeats', async () => {
    const byDecision = 'SEARCH alerts USING INDEX alerts_unfiled (identity=? AND decision=?';
    const plans = async (ask: Promise<unknown>) => {
      statements.length = 0;
      await ask;
      return statements.flatMap(planOf).filter((detail) => detail.startsWith('SEARCH'));
    };
    const { ignoredFor, held: waiting, heldBecome, newestFiring } = alertStore(db);
    expect(await plans(ignoredFor('a', 'suggested', { since: 0 }))).toEqual([
      `${byDecision} AND decided_at>?)`,
    ]);
    expect(await plans(waiting('a', 'C1'))).toEqual([`${byDecision})`]);
    expect(await plans(heldBecome({ identity: 'a' }, 'b'))).toEqual([`${byDecision})`]);
    expect(await plans(newestFiring('a', { channel: 'C1', since: NOW }))).toEqual([
      'SEARCH alerts USING INDEX alerts_identity_kind (identity=? AND channel=? AND kind=?)',
    ]);
  });

  it('finds the next deliveries in their order, without sorting all that are open', async () => {
    statements.length = 0;
    await inboxStore(db).open(NOW, { most: 100 });
    expect(statements.flatMap(planOf)).toEqual([
      'SEARCH inbox USING INDEX inbox_next (state=? AND owner=?)',
      'LIST SUBQUERY 1',
      'SCAN json_each VIRTUAL TABLE INDEX 1:',
      'CREATE BLOOM FILTER',
    ]);
  });

  it('would be found: a column without an index', () => {
    expect(scans('select * from alerts where sender = ?')).toEqual(['SCAN alerts']);
    expect(scans('select * from issues where is_open = ? and title = ?')).toEqual([
      'SEARCH issues USING INDEX issues_closed (is_open=?)',
    ]);
  });
});
