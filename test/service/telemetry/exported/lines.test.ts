import { expect, it } from 'vitest';
import { linesIn } from '../../../../src/service/telemetry/exported/lines.ts';
import type { LogLine } from '../../../../src/service/telemetry/model.ts';

const TO = Date.UTC(2026, 10, 29, 10);
const MINUTE = 60_000;

const line = (minutesAgo: number, message: string, level: string | null = null): LogLine => ({
  at: TO - minutesAgo * MINUTE,
  service: 'billing',
  instance: null,
  level,
  message,
  traceId: null,
});

/** So many lines of a kind a minute. */
const lines = (from: number, to: number, count: number, message: string, level: string | null = null) =>
  Array.from({ length: (from - to) * count }, (_, i) =>
    line(from - i / count - 0.01, `${message} ${i}`, level),
  );

const said = (logs: readonly LogLine[]) => linesIn(logs, { from: 0, to: TO }).map(({ sentence }) => sentence);

it('tells since when a service writes more failing lines, with the most frequent one', () => {
  const logs = [
    ...lines(30, 0, 4, 'paid order', 'info'),
    ...lines(4, 0, 6, 'connect ECONNREFUSED db-1:5432, attempt', 'error'),
    ...lines(4, 0, 1, 'another problem', 'error'),
  ];
  expect(said(logs)).toEqual([
    'billing writes 7 failing lines a minute since 09:56 UTC (before 0), most often “connect ECONNREFUSED db-1:5432, attempt 23”.',
  ]);
});

it('says nothing of lines that fail as often as ever, or hardly', () => {
  expect(said(lines(30, 0, 3, 'card declined: error', 'error'))).toEqual([]);
  expect(said([...lines(30, 0, 4, 'paid order', 'info'), line(1, 'oh no', 'error')])).toEqual([]);
});

it('judges by the share that fails where nothing tells what is usual', () => {
  expect(said(lines(3, 0, 4, 'Error: no route to host'))).toEqual([
    'billing writes 4 failing lines a minute since 09:57 UTC (what is usual is not known), most often “Error: no route to host 11”.',
  ]);
  expect(said([...lines(3, 0, 20, 'paid order'), ...lines(3, 0, 2, 'card declined: failed')])).toEqual([]);
});

it('shows no secret', () => {
  const secret = lines(3, 0, 4, 'Error: postgres://app:hunter2hunter2@db/shop refused');
  expect(said(secret).join()).not.toContain('hunter2');
});
