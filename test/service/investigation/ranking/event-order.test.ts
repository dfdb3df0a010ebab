import { describe, expect, it } from 'vitest';
import { LogTemplates } from '../../../../src/service/investigation/log-templates.ts';
import { departures } from '../../../../src/service/investigation/ranking/event-order.ts';
import type { LogLine, Span } from '../../../../src/service/telemetry/model.ts';

const SECOND = 1_000;
const NOW = 3_600_000;

interface Said {
  level: string;
  message: string;
}

/** A page that calls the prices every five seconds, for so many seconds before now. */
function requests(
  seconds: number,
  says: (at: number) => Said | null,
  fails: (at: number) => boolean = () => false,
): { spans: Span[]; logs: LogLine[] } {
  const times = Array.from({ length: seconds / 5 }, (_, i) => NOW - (i + 1) * 5 * SECOND).reverse();
  const span = (trace: number, id: string, parent: string | null, service: string, at: number): Span => ({
    traceId: `t${trace}`,
    spanId: `${trace}${id}`,
    parentSpanId: parent === null ? null : `${trace}${parent}`,
    service,
    operation: id,
    at,
    durationMs: service === 'front' ? 100 : 50,
    failed: null,
    message: null,
  });
  return {
    spans: times.flatMap((at, i) => [
      span(i, 'page', null, 'front', at),
      span(i, 'price', 'page', 'prices', at + 20),
      ...(fails(at) ? [span(i, 'error page', 'page', 'front', at + 80)] : []),
    ]),
    logs: times.flatMap((at, i) => {
      const said = says(at);
      return said === null
        ? []
        : [{ at: at + 40, service: 'prices', instance: null, traceId: `t${i}`, ...said }];
    }),
  };
}

const found: Said = { level: 'info', message: 'Found the price of article 4711' };
const none: Said = { level: 'error', message: 'No price for article 4711' };
const since = (seconds: number) => (at: number) => at >= NOW - seconds * SECOND;

function departed({ spans, logs }: { spans: Span[]; logs: LogLine[] }) {
  return departures(spans, logs, NOW).map(({ service, operation, event, usually, now }) => ({
    service,
    operation,
    event,
    usually,
    now,
  }));
}

describe('what happens inside of requests', () => {
  it('departs where the line that always came no longer does, and where it began, not at the caller', () => {
    const late = since(60);
    expect(departed(requests(300, (at) => (late(at) ? null : found), late))).toEqual([
      { service: 'prices', operation: 'price', event: 'Found the price of article #', usually: 1, now: 0 },
    ]);
  });

  it('departs where errors are new', () => {
    const late = since(60);
    expect(departed(requests(300, (at) => (late(at) ? none : found)))).toMatchObject([{ service: 'prices' }]);
  });

  it('is as always where nothing changes, and where every other request is of another kind', () => {
    expect(departed(requests(300, () => found))).toEqual([]);
    expect(departed(requests(300, (at) => (at % (10 * SECOND) === 0 ? found : null)))).toEqual([]);
  });

  it('says nothing of trouble with which the traces begin: nobody saw its onset', () => {
    expect(departed(requests(60, () => none))).toEqual([]);
  });
});

describe('the templates of lines', () => {
  const templates = new LogTemplates();
  const of = (message: string, level = 'info') => templates.of(level, message).id;

  it('are one for lines that differ in their parameters', () => {
    expect(of('charged card 17 of ada for order 4711')).toBe(of('charged card 18 of bob for order 4712'));
  });

  it('are several for lines of other words or another level', () => {
    expect(of('user signed in')).not.toBe(of('user signed out for good'));
    expect(of('cache is cold')).not.toBe(of('cache is cold', 'error'));
  });
});
