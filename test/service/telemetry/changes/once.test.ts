import { describe, expect, it } from 'vitest';
import { onceEach } from '../../../../src/service/telemetry/changes/once.ts';
import type { Change } from '../../../../src/service/telemetry/model.ts';

const MINUTE = 60_000;
const AT = Date.UTC(2026, 4, 4, 9, 30);

function change(minutes: number, over: Partial<Change> = {}): Change {
  return {
    at: AT + minutes * MINUTE,
    service: 'quotes',
    kind: 'deploy',
    title: 'Release quotes v2.4.0',
    version: 'v2.4.0',
    ref: null,
    url: 'https://ci.example.com/runs/17',
    details: null,
    authors: ['Ines'],
    ...over,
  };
}

/** As `quotes_build_info` shows it. */
function seen(minutes: number, over: Partial<Change> = {}): Change {
  return {
    at: AT + minutes * MINUTE,
    service: 'quotes',
    kind: 'deploy',
    title: 'Deploy quotes 2.4.0',
    version: '2.4.0',
    ref: null,
    url: null,
    details: null,
    before: '2.3.9',
    instances: [{ instance: 'quotes:8080', isNew: true, from: AT, to: AT + 9 * MINUTE }],
    ...over,
  };
}

const of = (source: string, ...changes: Change[]) => ({ source, changes });

describe('a change that several sources tell of', () => {
  it('is one, at the time and with the words of who reported it, with what was seen of it', () => {
    expect(onceEach([of('prometheus', seen(2)), of('changes', change(0))])).toEqual([
      { ...change(0), before: '2.3.9', instances: seen(2).instances },
    ]);
  });

  it('is another one where it is another version, service, setting or hour, or where nobody knows whose', () => {
    const others = [
      change(0, { version: 'v2.4.1' }),
      change(0, { service: 'ratebook' }),
      change(0, { kind: 'config' }),
      change(-11),
      change(0, { service: null }),
      change(0, { version: null }),
    ];
    for (const other of others)
      expect(onceEach([of('prometheus', seen(2)), of('changes', other)])).toHaveLength(2);
  });

  it('comes again where it was taken back in between: each report is joined with the nearest', () => {
    const back = { version: 'v2.3.9', title: 'Roll back', kind: 'rollback' };
    const joined = onceEach([
      of('changes', change(0), change(3, back), change(6)),
      of(
        'prometheus',
        seen(1),
        seen(4, { version: '2.3.9', title: 'Rolled back', before: '2.4.0' }),
        seen(7),
      ),
    ]);
    expect(joined.map(({ at, title }) => [(at - AT) / MINUTE, title])).toEqual([
      [0, 'Release quotes v2.4.0'],
      [3, 'Roll back'],
      [6, 'Release quotes v2.4.0'],
    ]);
  });

  it('is as often there as one source tells of it', () => {
    expect(onceEach([of('changes', change(0), change(4))])).toHaveLength(2);
  });
});
