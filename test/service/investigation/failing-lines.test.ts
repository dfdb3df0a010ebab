import { describe, expect, it } from 'vitest';
import { failingLines } from '../../../src/service/investigation/failing-lines.ts';
import { endedLines, findingOfLines } from '../../../src/service/investigation/words/lines.ts';
import type { LogLine } from '../../../src/service/telemetry/model.ts';
import { viewOf } from '../../../src/service/telemetry/view.ts';

const MINUTE = 60_000;
const TRIGGER = Date.parse('2026-03-17T12:00:00Z');

/** Lines so many minutes before the trigger. */
function lines(message: string, minutes: readonly number[]): LogLine[] {
  return minutes.map((ago) => ({
    at: TRIGGER - ago * MINUTE,
    service: 'cart',
    instance: null,
    level: null,
    message,
    traceId: null,
  }));
}

function seen(...logs: LogLine[]) {
  const window = { from: TRIGGER - 180 * MINUTE, to: TRIGGER + 1 };
  const nothing = { services: [], edges: [], series: [], instances: [], spans: [], changes: [], gaps: [] };
  const sorted = logs.toSorted((a, b) => a.at - b.at);
  return failingLines(viewOf({ ...nothing, window, trigger: TRIGGER, logs: sorted, rule: null }), 'cart');
}

describe('failing lines', () => {
  it('are what is wrong where they are new and go on, with their words, how many and since when', () => {
    const failing = lines('ERROR cannot resolve stock.svc', [6, 5, 4, 3, 2, 1]);
    const found = seen(...lines('served', [90]), ...failing);
    expect(findingOfLines(found)).toMatchObject({
      object: 'app/cart',
      confidence: 0.4,
      sentence:
        'cart logs errors: `ERROR cannot resolve stock.svc` (6 times since 11:54 UTC, and not before). The reason is unknown.',
    });
  });

  it('are said not to have come before only where the time before was read and has none', () => {
    const failing = lines('ERROR cannot resolve stock.svc', [6, 5, 4, 3, 2, 1]);
    expect(findingOfLines(seen(...failing))?.sentence).toContain('(6 times since 11:54 UTC). The reason');
    const rare = seen(...failing, ...lines('ERROR cannot resolve stock.svc', [170]));
    expect(findingOfLines(rare)?.sentence).toContain('(6 times since 11:54 UTC, once in the hours before).');
  });

  it('that come as often as ever are nothing new', () => {
    const usual = Array.from({ length: 90 }, (_, i) => 2 * i);
    expect(seen(...lines('ERROR retrying', usual))).toEqual([]);
  });

  it('are told from when they came to stay: one of an hour ago is another time', () => {
    const found = seen(...lines('ERROR quotes answered 500', [50, 4, 3, 2, 1]), ...lines('ok', [170]));
    expect(findingOfLines(found)?.sentence).toBe(
      'cart logs errors: `ERROR quotes answered 500` (4 times since 11:56 UTC, once in the hours before). The reason is unknown.',
    );
  });

  it('once or twice are an accident, and those that ended are told as over', () => {
    expect(seen(...lines('ERROR once', [3, 2]))).toEqual([]);
    const over = seen(...lines('ERROR refused', [40, 39, 38, 37]));
    expect(findingOfLines(over)).toBeNull();
    expect(endedLines(over)).toBe(
      ' cart logged errors from 11:20 UTC to 11:23 UTC (4 times), and none since: `ERROR refused`.',
    );
  });
});
