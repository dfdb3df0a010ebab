import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/service/telemetry/budget.ts';
import { createLogFilesSource, type LogFiles, momentIn } from '../../../src/service/telemetry/log-files.ts';
import { manualClock } from '../../support/manual-clock.ts';

const NOON = Date.UTC(2026, 2, 17, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const clock = manualClock(NOON);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-logs-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A file that was last written so many minutes before noon. */
function file(name: string, content: string | Buffer, minutesAgo = 0): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  utimesSync(path, NOON / 1_000 - minutesAgo * 60, NOON / 1_000 - minutesAgo * 60);
  return path;
}

async function reading(files: LogFiles[], service: string | null = 'checkout') {
  const budget = createBudget({ requests: 10, ms: 60_000 }, { clock });
  const logs = await createLogFilesSource(files, { clock }).logs(service, WINDOW, budget);
  budget.end();
  return logs;
}

const at = (minute: number) => `2026-03-17T11:${String(minute).padStart(2, '0')}:00Z`;

describe('log files', () => {
  it.each([
    [
      { msg: 'cannot quote', err: 'no surcharge', stack: 'Error: no surcharge\n  at quote' },
      'cannot quote: no surcharge',
    ],
    [{ msg: 'cannot quote', err: { type: 'Error', message: 'no surcharge' } }, 'cannot quote: no surcharge'],
    [
      {
        message: 'cannot quote',
        exc_info: 'Traceback (most recent call last):\n  File "q.py"\nKeyError: surcharge',
      },
      'cannot quote: KeyError: surcharge',
    ],
    [{ msg: 'cannot quote: no surcharge', err: 'no surcharge' }, 'cannot quote: no surcharge'],
    [
      { msg: 'no surcharge', err: 'TypeError: no surcharge | at quote (file:///q.mjs:20:7)' },
      'TypeError: no surcharge',
    ],
    [{ error: 'no surcharge' }, 'no surcharge'],
  ])('have, in lines of JSON, what failed beside the message: %j', async (line, message) => {
    file('app.log', `${JSON.stringify({ time: at(50), level: 'error', ...line })}\n`);
    const logs = await reading([{ service: 'checkout', path: join(folder, '*.log') }]);
    expect(logs).toMatchObject({ known: true, value: [{ message }] });
  });

  it('are read with those that were rotated away, packed ones too, in the order of their times', async () => {
    file('app.log', `${at(50)} ERROR cannot pay\n  at Pay (pay.ts:1)\n  at main\n${at(51)} paid\n`);
    file('app.log.1', `${at(40)} INFO began\n2026-03-17T09:00:00Z too old\n`, 10);
    file('app.log-20260317.gz', gzipSync(`{"time":"${at(20)}","level":"warn","msg":"slow"}\n`), 20);
    file('app.log.bak', `${at(30)} not one of them\n`);
    file('other.txt', `${at(30)} not one of them\n`);
    const logs = await reading([{ service: 'checkout', path: join(folder, '*.log') }]);
    const minute = (n: number) => Date.parse(at(n));
    expect(logs).toEqual({
      known: true,
      caveats: [],
      value: [
        { at: minute(20), level: 'warn', message: 'slow', instance: 'app.log-20260317.gz' },
        { at: minute(40), level: 'info', message: 'began', instance: 'app.log.1' },
        {
          at: minute(50),
          level: 'error',
          message: 'cannot pay\n  at Pay (pay.ts:1)\n  at main',
          instance: 'app.log',
        },
        { at: minute(51), level: null, message: 'paid', instance: 'app.log' },
      ].map((line) => ({ ...line, service: 'checkout', traceId: null })),
    });
  });

  it.each([
    ['2026-03-17 11:50:00,123Z ERROR [cart] no stock', 'error', '[cart] no stock'],
    ['[2026-03-17 11:50:00Z] WARNING: no stock', 'warning', 'no stock'],
    ['2026-03-17 11:50:00Z | INFO     | no stock', 'info', 'no stock'],
    ['2026-03-17 11:50:00Z errors=3', null, 'errors=3'],
  ])('say what comes after time and level: %s', async (line, level, message) => {
    file('app.log', `${line}\n`);
    const logs = await reading([{ service: 'checkout', path: join(folder, 'app.log') }]);
    expect(logs).toMatchObject({ known: true, value: [{ level, message }] });
  });

  it('too long to be read whole are read from the end, and it says since when', async () => {
    const line = (n: number) =>
      `2026-03-17T11:${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}Z ERROR ${'x'.repeat(4_000)}\n`;
    file('app.log', Array.from({ length: 3_600 }, (_, n) => line(n)).join(''));
    const logs = await reading([{ service: 'checkout', path: join(folder, 'app.log') }]);
    expect(logs.known && logs.caveats).toEqual([
      expect.stringMatching(
        /^Of the log files of checkout the last 8 MiB were read: since 2026-03-17T11:2\d:\d\d\.000Z\.$/u,
      ),
    ]);
    expect(logs.known && logs.value.length).toBeGreaterThan(2_000);
  });

  it('that are not there, or have no times, are not known: that is no silence', async () => {
    const missing = join(folder, 'none.log');
    expect(await reading([{ service: 'checkout', path: missing }])).toEqual({
      known: false,
      reason: `No file is at ${missing}, where LOG_FILES has the logs of checkout: correct the path, or mount it.`,
    });
    const untimed = file('app.log', 'started\n');
    expect(await reading([{ service: 'checkout', path: untimed }])).toEqual({
      known: false,
      reason:
        'No line in the log files of checkout begins with a time that can be read, such as 2026-03-17 12:00:00.',
    });
  });

  it('that cannot be read take nothing from the others', async () => {
    const files = [
      { service: 'checkout', path: file('app.log', `${at(50)} paid\n`) },
      { service: 'ledger', path: file('ledger.log', 'started\n') },
    ];
    expect(await reading(files, null)).toEqual({
      known: true,
      value: [expect.objectContaining({ service: 'checkout', message: 'paid' })],
      caveats: [
        'No line in the log files of ledger begins with a time that can be read, such as 2026-03-17 12:00:00.',
      ],
    });
  });

  it('are checked each, with a sentence for each that cannot be read', async () => {
    const path = file('app.log', `${at(50)} paid\n`);
    const missing = join(folder, 'none.log');
    const checked = async (files: LogFiles[]) => {
      const budget = createBudget({ requests: 10, ms: 60_000 }, { clock });
      const health = await createLogFilesSource(files, { clock }).check(budget);
      budget.end();
      return health;
    };
    const checkout = { service: 'checkout', path };
    expect(await checked([checkout])).toEqual({
      name: 'files',
      ok: true,
      summary: 'The log files of checkout are read.',
      details: [],
    });
    expect(await checked([checkout, { service: 'ledger', path: missing }])).toMatchObject({
      ok: false,
      summary: `No file is at ${missing}, where LOG_FILES has the logs of ledger: correct the path, or mount it.`,
    });
  });

  it('of a service without any are none', async () => {
    const path = file('app.log', `${at(50)} paid\n`);
    expect(await reading([{ service: 'checkout', path }], 'payments')).toEqual({
      known: true,
      value: [],
      caveats: [],
    });
  });
});

it.each([
  ['2026-03-17 11:50:00,123+0000 INFO x', '2026-03-17T11:50:00.123Z'],
  ['[2026-03-17T11:50:00.1+02:00] x', '2026-03-17T09:50:00.100Z'],
  ['2026/03/17 11:50:00 Z [error] 7#7: x', '2026-03-17T11:50:00.000Z'],
  ['2026-03-17  1:50:00 Z 0 [Note] x', '2026-03-17T01:50:00.000Z'],
  ['10.0.0.1 - - [17/Mar/2026:11:50:00 +0100] "GET / HTTP/1.1" 200', '2026-03-17T10:50:00.000Z'],
  ['{"ts":1773748200.5,"msg":"x"}', '2026-03-17T11:50:00.500Z'],
  ['{"@timestamp":"2026-03-17T11:50:00Z"}', '2026-03-17T11:50:00.000Z'],
  ['{"time":1773748200000}', '2026-03-17T11:50:00.000Z'],
  ['  at main (2026)', null],
  ['{"half', null],
])('%s was written at %s', (line, expected) => {
  const found = momentIn(line, NOON);
  expect(found === null ? null : new Date(found).toISOString()).toBe(expected);
});

it('a line of syslog is of this year, and in January of the last', () => {
  const inYear = (line: string, now: number) => new Date(momentIn(line, now) ?? 0).getFullYear();
  expect(inYear('Mar 17 11:50:00 host app: x', NOON)).toBe(2026);
  expect(inYear('Dec 31 23:59:00 host app: x', Date.UTC(2026, 0, 1, 12))).toBe(2025);
});

it('an hour may be padded with a space, as MariaDB writes it', () => {
  expect(momentIn('2026-03-17  9:50:00 0 [Note] ready', NOON)).toBe(momentIn('2026-03-17 09:50:00', NOON));
  expect(momentIn('2026-03-17  9:50:00 0 [Note] ready', NOON)).not.toBeNull();
});
