import { existsSync, readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readAlert } from '../../../src/bot/filing/occurrence.ts';
import { deleteIssue } from '../../../src/bot/issues/delete.ts';
import { answerIntent } from '../../../src/bot/store/intents/thread-intents.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import { noCheckpoint } from '../../../src/lib/clock.ts';
import { crashAt } from '../../support/crash-at.ts';
import { uuidOf } from '../../support/issues.ts';
import { type Watching, watching } from '../watching/support.ts';

const MARKER = 'zebra-crossing-7f3a';
/** Some of it on pages of its own. */
const WORDS = `${MARKER} `.repeat(400);

/** What of an alert is its words. */
const ALERT = {
  kind: 'firing',
  format: 'datadog',
  title: MARKER,
  description: WORDS,
  severity: 'high',
  environment: 'production',
  service: MARKER,
  triggeredAt: null,
  alertUrl: `https://app.example/${MARKER}`,
  host: MARKER,
  region: null,
  version: null,
  traceId: null,
  spanId: null,
  errorType: null,
  errorMessage: WORDS,
  tags: [MARKER],
  fingerprint: '0123456789abcdef',
};

/** Puts the words into everything that is kept about the first issue, as another connection to the file. */
async function fill(test: Watching): Promise<void> {
  await test.investigation(1);
  await test.investigation(2, { threadTs: '9.0' });
  const { store, opened } = test;
  const decided = (ts: string, threadTs: string | null, issueId: string | null) => ({
    channel: 'C1',
    ts,
    decision: 'filed' as const,
    reason: 'a new problem',
    kind: 'firing',
    format: 'datadog',
    fingerprint: ALERT.fingerprint,
    issueId: issueId,
    alert: JSON.stringify(ALERT),
    decidedAt: 1,
    identity: `${ALERT.fingerprint}@production`,
    detail: MARKER,
    threadTs: threadTs,
    sender: MARKER,
    holdId: null,
    outcome: null,
  });
  await store.alerts.record(decided('1.0', null, 'issue-1'));
  await store.alerts.record(decided('7.000100', null, 'issue-1'));
  await store.alerts.record(decided('8.0', '1.0', null));
  await store.notes.add({ issueId: 'issue-1', who: 'U0ALICE', text: WORDS, at: 1, cause: 'note-1' });
  await store.conversations.start({
    id: 'talk-1',
    channel: 'C1',
    threadTs: '1.0',
    issueId: 'issue-1',
    startedBy: 'U1',
    createdAt: 1,
  });
  await store.questions.add({ id: 'q-1', conversation: 'talk-1', asker: 'U1', text: WORDS, createdAt: 1 });
  await store.results.save('issue-1', 1, JSON.stringify({ rootCause: WORDS }), 1);
  const file = new Sqlite(opened.file);
  // As the program’s own connection has it.
  file.pragma('secure_delete = ON');
  const run = (sql: string, ...values: unknown[]) => file.prepare(sql).run(...values);
  run(
    `update issues set title = ?, request = ?, note = ?, failure = ?, alert_url = ?, service = ?, source = ?,
       earlier = ? where id = 'issue-1'`,
    ...Array.from({ length: 8 }, () => WORDS),
  );
  run(`update issues set earlier = ? where id = 'issue-2'`, JSON.stringify({ number: 1, rootCause: WORDS }));
  run(`update questions set answer = ?, artifacts = ?, note = ? where id = 'q-1'`, WORDS, WORDS, WORDS);
  run(
    `insert into artifacts (owner, id, state, body, next_at) values ('issue-1', 'a', 'kept', ?, 0), ('question:q-1', 'b', 'kept', ?, 0)`,
    WORDS,
    WORDS,
  );
  run(
    `insert into files (key, issue_id, state, what, alt, next_at, created_at, file_id) values ('graph:issue-1:1', 'issue-1', 'ready', ?, ?, 0, 0, 'F1')`,
    WORDS,
    WORDS,
  );
  run(
    `insert into inbox (key, body, received_at, attempts, next_at, state, error) values ('Ev1', ?, 0, 9, 0, 'dead', ?)`,
    JSON.stringify({ event: { ts: '7.000100', text: WORDS } }),
    WORDS,
  );
  file.close();
}

const deletion = (test: Watching, step = noCheckpoint) =>
  deleteIssue(
    { uuid: uuidOf(1), number: 1, issueId: 'issue-1' },
    { who: 'U1', cause: 'window' },
    {
      store: test.store,
      services: createServices({ default: test.service.client }),
      clock: test.opened.clock,
      checkpoint: step,
    },
  );

/** In which of the database's files the words stand. */
function filesWithWords(file: string): string[] {
  return ['', '-wal'].filter((end) => existsSync(file + end) && readFileSync(file + end).includes(MARKER));
}

describe('after an issue was deleted', () => {
  it('its words are nowhere in the database’s files, nor in its log', async () => {
    await using test = await watching();
    await fill(test);
    const before = ['', '-wal'].flatMap((end) => readFileSync(test.opened.file + end).toString('latin1'));
    expect(before.join('').split(MARKER).length).toBeGreaterThan(1_000);
    await deletion(test);
    expect(filesWithWords(test.opened.file)).toEqual([]);
    expect(readFileSync(`${test.opened.file}-wal`).byteLength).toBe(0);
    // What the next message is compared with stays.
    const row = await test.store.alerts.find('C1', '7.000100');
    expect(row).toMatchObject({ decision: 'filed', issueId: 'issue-1', fingerprint: ALERT.fingerprint });
    expect(readAlert(row?.alert ?? '')).toMatchObject({ kind: 'firing', severity: 'high', title: null });
  });

  it.each(['deletion: sent', 'deletion: recorded'])(
    'they are nowhere either where the process crashed at “%s” and was started again',
    async (step) => {
      await using test = await watching();
      await fill(test);
      await expect(deletion(test, crashAt(step))).rejects.toThrow('crashed at');
      expect(filesWithWords(test.opened.file)).not.toEqual([]);
      await deletion(test);
      await test.store.close();
      const again = await openStore({ file: test.opened.file, clock: test.opened.clock });
      expect(filesWithWords(test.opened.file)).toEqual([]);
      await again.close();
    },
  );

  it('what stays in Slack is counted before: messages, answers and files', async () => {
    await using test = await watching();
    await fill(test);
    const { store } = test;
    const issue = await store.issues.get('issue-1');
    await store.outbox.want(
      answerIntent({ questionId: 'q-1', channel: 'C1', threadTs: '1.0', asker: 'U1' }, 1),
    );
    const file = new Sqlite(test.opened.file);
    file
      .prepare(`update outbox set sent = ? where key in ('answer:q-1', 'card:issue-1', 'card:issue-2')`)
      .run('[{"ts":"1.1","hash":""},{"ts":"1.2","hash":""}]');
    file.close();
    if (issue === null) throw new Error('the issue is not there');
    expect(await store.erasure.leftInSlack(issue)).toEqual({ messages: 2, answers: 2, files: 1 });
  });
});
