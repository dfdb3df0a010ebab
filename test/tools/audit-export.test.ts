import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/bot/store/open.ts';
import { auditExport } from '../../src/tools/audit-export.ts';
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
        at: '2026-11-01T00:00:00.000Z',
        who: 'U0',
        what: 'resolved it',
        issue: null,
        issueId: 'i1',
        channel: null,
      },
      expect.objectContaining({ who: 'U1', what: 'set "exclude" to\n-noise' }),
    ]);
  });

  it('prints CSV that no spreadsheet takes for formulas', async () => {
    const { stdout } = await exported('--since', '2026-11-02', '--format', 'csv');
    expect(stdout).toBe(
      [
        'at,who,what,issue,issueId,channel',
        '2026-11-02T00:00:00.000Z,U1,"set ""exclude"" to\n-noise",,,',
        `2026-11-03T00:00:00.000Z,U2,"'=HYPERLINK(""http://evil.example"")",,,`,
        '2026-11-04T00:00:00.000Z,U3,paused filing,,,',
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
