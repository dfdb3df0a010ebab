import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/bot/store/open.ts';
import { auditExport } from '../../src/tools/audit-export.ts';
import { checkAudit } from '../../src/tools/checks/audit.ts';
import { call } from '../support/call.ts';
import { instantClock } from '../support/manual-clock.ts';
import { migratedFile } from '../support/open-test-store.ts';

let folder: string;
let file: string;

const DAY = 24 * 60 * 60_000;
const START = Date.UTC(2026, 10, 1);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-audit-'));
  file = join(folder, 'gumshoe.db');
  copyFileSync(await migratedFile(), file);
  const store = await openStore({ file, clock: instantClock() });
  const said = [
    'resolved it',
    'set "exclude" to\n-noise',
    '=HYPERLINK("http://evil.example")',
    'paused filing',
  ];
  for (const [n, what] of said.entries()) {
    await store.audit.add({ at: START + n * DAY, who: `U${n}`, what, issueId: n === 0 ? 'i1' : null });
  }
  await store.close();
});

afterEach(() => rmSync(folder, { recursive: true }));

const exported = (...words: string[]) => call(auditExport, words, { DATABASE_URL: `sqlite:${file}` });

/** As somebody would who has the file. */
function change(...statements: string[]): void {
  const db = new Sqlite(file);
  for (const statement of statements) db.exec(statement);
  db.close();
}

const verdict = async () => {
  const { ok, ...check } = await checkAudit({ kind: 'sqlite', file });
  return ok ? 'whole' : JSON.stringify(check);
};

describe('npm run audit-export', () => {
  it('prints who did what and when, from one moment up to another, as lines of JSON', async () => {
    const { stdout, code, stderr } = await exported('--since', '2026-11-01', '--until', '2026-11-03');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        seq: 1,
        at: '2026-11-01T00:00:00.000Z',
        who: 'U0',
        what: 'resolved it',
        issue: null,
        issueId: 'i1',
        channel: null,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/u),
      },
      expect.objectContaining({ seq: 2, who: 'U1', what: 'set "exclude" to\n-noise' }),
    ]);
  });

  it('prints CSV that no spreadsheet takes for formulas', async () => {
    const { stdout } = await exported('--since', '2026-11-02', '--format', 'csv');
    expect(stdout.replaceAll(/[0-9a-f]{64}/gu, 'HASH')).toBe(
      [
        'seq,at,who,what,issue,issueId,channel,hash',
        '2,2026-11-02T00:00:00.000Z,U1,"set ""exclude"" to\n-noise",,,,HASH',
        `3,2026-11-03T00:00:00.000Z,U2,"'=HYPERLINK(""http://evil.example"")",,,,HASH`,
        '4,2026-11-04T00:00:00.000Z,U3,paused filing,,,,HASH',
        '',
      ].join('\n'),
    );
  });

  it('says what is wrong where there is no database', async () => {
    const result = await call(auditExport, ['--since', '2026-11-01'], {
      DATABASE_URL: `sqlite:${folder}/none.db`,
    });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('check DATABASE_URL') });
  });
});

describe('the chain of the audit', () => {
  it('is whole as it was written, and says how long it is', async () => {
    expect(await checkAudit({ kind: 'sqlite', file })).toMatchObject({
      ok: true,
      detail: '4 entries, each chained to the one before',
    });
  });

  it.each([
    ['an entry is changed', "update audit set who = 'U9' where seq = 2", 'entry 2 was changed'],
    ['an entry is removed', 'delete from audit where seq = 2', 'entry 2 is missing'],
    [
      'the newest are removed',
      'delete from audit where seq > 2',
      'entries after 2 are missing: there were 4',
    ],
    [
      'one is put in',
      "update audit set seq = seq + 10 where seq > 1; update audit set seq = seq - 9 where seq > 1; insert into audit (id, at, who, what, seq, hash) select 'x', at, 'U9', what, 2, hash from audit where seq = 1",
      'entry 2 was changed, or put there',
    ],
    [
      'two change places',
      'update audit set seq = 9 where seq = 2; update audit set seq = 2 where seq = 3; update audit set seq = 3 where seq = 9',
      'entry 2 was changed',
    ],
    [
      'the newest is removed, and the last link is lowered',
      "delete from audit where seq = 4; update audit_head set seq = 3, hash = 'x'",
      'entry 3 is not the last',
    ],
  ])('is broken where %s', async (_what, statements, expected) => {
    change(statements);
    expect(await verdict()).toContain(expected);
  });

  it('takes in what a release without chains has written, with the next entry', async () => {
    change("insert into audit (id, at, who, what) values ('old', 5, 'U5', 'muted it')");
    expect(await checkAudit({ kind: 'sqlite', file })).toMatchObject({
      ok: true,
      detail:
        '4 entries, each chained to the one before; 1 from an earlier release are chained with the next one',
    });
    const store = await openStore({ file, clock: instantClock() });
    await store.audit.add({ at: START, who: 'U6', what: 'muted it', issueId: null });
    await store.close();
    expect(await checkAudit({ kind: 'sqlite', file })).toMatchObject({
      ok: true,
      detail: '6 entries, each chained to the one before',
    });
  });
});
