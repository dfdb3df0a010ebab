import { describe, expect, it } from 'vitest';
import { inExplore, pageOf } from '../../../src/service/telemetry/shown.ts';

const WINDOW = { from: 1_000, to: 61_000.5 };

describe('what was read can be seen again', () => {
  it('in Grafana’s Explore, over the same time, where it is known which data source that is', () => {
    const explore = { url: 'https://grafana.example.com/', datasource: 'loki-1' };
    const link = new URL(inExplore(explore, { expr: '{app="a b"}' }, WINDOW) ?? '');
    expect(`${link.origin}${link.pathname}`).toBe('https://grafana.example.com/explore');
    expect(JSON.parse(link.searchParams.get('left') ?? '')).toEqual({
      datasource: 'loki-1',
      queries: [{ refId: 'A', expr: '{app="a b"}' }],
      range: { from: '1000', to: '61000' },
    });
    expect(inExplore({ url: 'https://grafana.example.com' }, { expr: 'x' }, WINDOW)).toBeNull();
    expect(inExplore(null, { expr: 'x' }, WINDOW)).toBeNull();
  });

  it('on a page of its own, where people reach it', () => {
    expect(pageOf('https://jaeger.example.com', '/trace/t1')).toBe('https://jaeger.example.com/trace/t1');
    expect(pageOf('https://l.example.com', '/q', { query: '{a="b c"}' })).toBe(
      'https://l.example.com/q?query=%7Ba%3D%22b+c%22%7D',
    );
    expect(pageOf(null, '/trace/t1')).toBeNull();
  });
});
