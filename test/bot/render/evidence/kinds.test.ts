import { describe, expect, it } from 'vitest';
import { rawJsonOf } from '../../../../src/bot/render/evidence/evidence-modal.ts';
import { summaryBlocks } from '../../../../src/bot/render/evidence/kinds.ts';
import type { Artifact } from '../../../../src/contract/answers.ts';

/** What an artifact's blocks say, a line each. */
function said(artifact: Artifact): string[] {
  return summaryBlocks(artifact).flatMap((block) => {
    if (block.type === 'section') return (block.text?.text ?? '').split('\n');
    if (block.type === 'rich_text') {
      const text = block.elements.flatMap(({ type, elements }) =>
        type === 'rich_text_preformatted' ? elements.map((one) => ('text' in one ? one.text : '')) : [],
      );
      return ['```', ...text.join('').split('\n'), '```'];
    }
    return block.type === 'context' ? block.elements.map((one) => ('text' in one ? one.text : '')) : [];
  });
}

const minute = (n: number) => `${(1_795_221_000_000 + n * 60_000) * 1e6}`;
const point = (n: number, asDouble: number, route: string) => ({
  attributes: [{ key: 'route', value: { stringValue: route } }],
  timeUnixNano: minute(n),
  asDouble,
});

describe('the summary of', () => {
  it('a metric says of each series what was lowest, highest and last', () => {
    const data = {
      name: 'latency.p95',
      unit: 'ms',
      dataPoints: [
        point(0, 80, '/pay'),
        point(1, 950, '/pay'),
        point(2, 300, '/pay'),
        point(0, 5, '/health'),
      ],
    };
    const lines = said({ type: 'metric', data });
    expect(lines[0]).toBe('`latency.p95`');
    expect(lines[1]).toMatch(
      /^• \*\/pay\*: lowest \*80 ms\* at <!date\S.*highest \*950 ms\* at .*last \*300 ms\* at /u,
    );
    expect(lines[2]).toBe('  ▁█▃');
    expect(lines[3]).toMatch(/^• \*\/health\*: \*5 ms\* throughout, until <!date/u);
    expect(lines[4]).toBe('4 values');
  });

  it('logs has their lines with time and level', () => {
    const lines = [
      { timestamp: '2026-03-17T12:00:01Z', level: 'error', message: 'pool is full <!channel>' },
      'a bare line ```',
    ];
    expect(said({ type: 'logs', data: { service: 'orders', lines } })).toEqual([
      '*Service*: orders',
      '```',
      '12:00:01 ERROR pool is full <!channel>',
      'a bare line ```',
      '```',
      '2 lines; times in UTC',
    ]);
  });

  it('a trace has its spans below their parents, each once, circles included', () => {
    const spans = [
      {
        spanId: '2',
        parentSpanId: '1',
        service: 'orders',
        operation: 'GET /orders',
        durationMs: 70,
        error: 'timeout',
      },
      {
        spanId: '1',
        parentSpanId: null,
        service: 'web',
        operation: 'POST /pay',
        durationMs: 81.25,
        error: null,
      },
      { spanId: '8', parentSpanId: '9', operation: 'round' },
      { spanId: '9', parentSpanId: '8', operation: 'about' },
    ];
    expect(said({ type: 'trace', data: { traceId: 't1', spans } })).toEqual([
      '*Trace id*: t1',
      '```',
      'web POST /pay · 81.25 ms',
      '  orders GET /orders · 70 ms · ✗ timeout',
      'round',
      '  about',
      '```',
      '4 spans',
    ]);
  });

  it('a change tells first what it is, and shows the diff as it is', () => {
    const data = { version: '4.2.0', diff: '-pool: 50\n+pool: 5', title: 'Deploy 4.2.0' };
    expect(said({ type: 'change', data })).toEqual([
      '*Title*: Deploy 4.2.0',
      '*Version*: 4.2.0',
      '```',
      '-pool: 50',
      '+pool: 5',
      '```',
    ]);
  });

  it('a change of our own service shows what the failing lines name in it before its contents', () => {
    const details = 'a1 Round totals (Ada)\nsrc/total.ts\n+return roundTotal(total)';
    const marked = ['src/total.ts: +return roundTotal(total)'];
    expect(
      said({ type: 'change', data: { details, marked, authors: ['Ada'], title: 'Deploy 4.2.0' } }),
    ).toEqual([
      '*Title*: Deploy 4.2.0',
      '*Authors*: Ada',
      'In the failing log lines, and in no other change',
      '```',
      'src/total.ts: +return roundTotal(total)',
      '```',
      '```',
      'a1 Round totals (Ada)',
      'src/total.ts',
      '+return roundTotal(total)',
      '```',
    ]);
    expect(said({ type: 'change', data: { details: 'one line', marked: 3 } })).toEqual([
      '*Details*: one line',
      '*Marked*: 3',
    ]);
  });

  it('a change leaves out what its source left empty', () => {
    const data = { title: 'Deploy 4.2.0', url: null, ref: '', author: ' ', labels: [], extra: {}, files: 0 };
    expect(said({ type: 'change', data })).toEqual(['*Title*: Deploy 4.2.0', '*Files*: 0']);
  });

  it('any other kind is what its data holds, however it is nested', () => {
    const data = {
      errorRate: 0.25,
      isOpen: true,
      hosts: ['a', 'b'],
      limits: { cpu: '2', memory: { hard: 512 } },
      events: [{ reason: 'OOMKilled', count: 3 }],
    };
    expect(said({ type: 'something-new', data })).toEqual([
      '*Error rate*: 0.25',
      '*Is open*: yes',
      '*Hosts*: a, b',
      '*Limits*:',
      '\u2003*Cpu*: 2',
      '\u2003*Memory*:',
      '\u2003\u2003*Hard*: 512',
      '*Events*:',
      '\u2003• Reason: OOMKilled · Count: 3',
    ]);
  });

  it('a metric in another form than the contract’s is that of what its data holds', () => {
    expect(said({ type: 'metric', data: { query: 'up == 0' } })).toEqual(['*Query*: up == 0']);
  });

  it('very long data is short, and says so', () => {
    const data = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key ${index}`, index]));
    const lines = said({ type: 'x', data });
    expect(lines).toHaveLength(61);
    expect(lines.at(-1)).toBe('… shortened: the raw JSON has all of it');
  });
});

describe('the raw JSON', () => {
  it('is the artifact as it came, in a file with a plain name', () => {
    const artifact: Artifact = {
      id: '../a/b',
      type: 'logs',
      summary: 'Logs of\norders',
      data: { lines: ['ü'] },
    };
    const { name, title, bytes } = rawJsonOf(artifact);
    expect([name, title]).toEqual(['logs-a-b.json', 'Raw JSON: Logs of orders']);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(artifact);
  });
});
