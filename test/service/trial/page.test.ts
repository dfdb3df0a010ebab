import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../src/service/trial/page.ts';
import { linesOf, reportOn } from '../../../src/service/trial/report.ts';
import type { Row } from '../../../src/service/trial/row.ts';
import type { Past } from '../../../src/service/trial/trial.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 5, 14, 12);

function row(more: Partial<Row> = {}): Row {
  return {
    name: 'OrdersSlow',
    identity: 'OrdersSlow orders',
    from: NOON - 3 * HOUR,
    to: NOON - 2 * HOUR,
    tags: ['alertname:OrdersSlow', 'service:orders'],
    url: null,
    again: [],
    verdict: 'Slow queries in orders-db since 09:00 UTC. More follows.',
    place: 'orders-db',
    confidence: 'high',
    overview: 'orders p95 latency rose.',
    evidence: [{ title: 'orders-db p95 latency', description: 'It rose.', artifacts: ['a1'] }],
    ruledOut: [],
    actions: [],
    charts: [
      {
        artifact: 'a1',
        title: 'orders-db p95 latency. Peak 2 s',
        unit: 's',
        points: [
          [NOON - 4 * HOUR, 0.1],
          [NOON - 3 * HOUR, 2],
        ],
      },
    ],
    sources: [
      {
        artifact: 'a1',
        type: 'metric',
        summary: 's',
        url: 'https://prometheus.example.com/graph?a=1&b=2',
        query: null,
        lines: [],
      },
    ],
    gaps: [],
    seconds: 1.5,
    requests: 80,
    busyMs: 900,
    ...more,
  };
}

function past(more: Partial<Past> = {}): Past {
  return {
    days: 14,
    from: NOON - 14 * 24 * HOUR,
    to: NOON,
    problems: [],
    alerts: 3,
    left: 0,
    before: [],
    fired: [],
    rules: [],
    problem: null,
    ...more,
  };
}

const HOSTILE = `"><img src=x onerror=alert(1)></script><script>alert(1)</script>' style='x' \`</code><script>\``;

describe('the page of a trial', () => {
  it('runs and loads nothing that an alert, a log line or a link says', () => {
    const hostile = row({
      name: HOSTILE,
      identity: HOSTILE,
      tags: [HOSTILE],
      url: 'javascript:alert(1)',
      verdict: HOSTILE,
      confidence: HOSTILE,
      overview: HOSTILE,
      place: HOSTILE,
      evidence: [{ title: HOSTILE, description: HOSTILE, artifacts: ['a1'] }],
      ruledOut: [{ title: HOSTILE, description: HOSTILE, artifacts: ['a1'] }],
      actions: [HOSTILE],
      charts: [
        {
          artifact: 'a1',
          title: HOSTILE,
          unit: HOSTILE,
          points: [
            [0, 1],
            [1, 2],
          ],
        },
      ],
      sources: [
        {
          artifact: 'a1',
          type: HOSTILE,
          summary: HOSTILE,
          url: `https://x/"onclick="alert(1)`,
          query: HOSTILE,
          lines: [HOSTILE],
        },
      ],
      gaps: [HOSTILE],
    });
    const page = pageOf(reportOn(past({ before: [HOSTILE], problem: HOSTILE }), [hostile], [HOSTILE]), {
      program: HOSTILE,
    });
    // Between < and > stands nothing but our own tags.
    expect([...page.matchAll(/<(?:script|img)\b[^>]*>/gu)].map(([tag]) => tag)).toEqual(['<script>']);
    expect(page.replaceAll(/"[^"]*"/gu, '""')).not.toMatch(/<[^>]*\s(?:on\w+|style)=/u);
    expect(page).not.toMatch(/href="(?!https:\/\/x\/)/u);
    const hash = (text: string | undefined) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`;
    const script = /<script>(.*?)<\/script>/su.exec(page)?.[1];
    const style = /<style>(.*?)<\/style>/su.exec(page)?.[1];
    expect(/Content-Security-Policy" content="([^"]*)"/u.exec(page)?.[1]).toBe(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
    );
  });

  it('shows each row with its evidence, its chart and the link to one’s own tool', () => {
    const page = pageOf(reportOn(past(), [row()], []), { program: '1.0.0' });
    expect(page).toContain('Slow queries in orders-db since 09:00 UTC.</td>');
    expect(page).toContain(
      '<b>orders-db p95 latency</b> It rose. <a href="https://prometheus.example.com/graph?a=1&amp;b=2"',
    );
    expect(page).toContain('aria-label="orders-db p95 latency. Peak 2 s"');
    expect(page).toContain('data-confidence="3"');
  });
});

describe('what a trial adds up', () => {
  it('counts two alerts with one cause at one time as one problem, and says it in three lines', () => {
    const rows = [
      row(),
      row({ name: 'CheckoutErrors', identity: 'b', from: NOON - 150 * MINUTE, confidence: 'medium' }),
      row({ name: 'Disk', identity: 'c', verdict: null, place: null, confidence: null, from: NOON - HOUR }),
    ];
    const report = reportOn(past(), rows, ['No logs could be read.']);
    expect(linesOf(report)).toEqual([
      '3 alerts in 14 days, 3 without repeats, 2 problems: a cause named in 2 (1 high and 1 medium), none found in 1.',
      'Not seen: No logs could be read.',
      '240 requests in 5 s; for 3 s of it the sources were working on one.',
    ]);
  });

  it('replays a noisy rule with a longer for, and loses none of the firings that had a cause', () => {
    const fired = (minutes: number, i: number) => ({
      name: 'Flaps',
      identity: 'Flaps',
      from: NOON - (i + 1) * HOUR,
      to: NOON - (i + 1) * HOUR + minutes * MINUTE,
      description: '',
      service: null,
      environment: 'production',
      context: {},
      url: null,
    });
    const firings = [1, 2, 2, 3, 20].map(fired);
    const rows = firings.map((one, i) =>
      row({
        name: 'Flaps',
        identity: 'Flaps',
        from: one.from,
        to: one.to,
        verdict: i === 4 ? 'A cause.' : null,
      }),
    );
    const rule = {
      name: 'Flaps',
      expression: 'x',
      threshold: null,
      labels: {},
      annotations: {},
      heldFor: MINUTE,
    };
    const { noisy } = reportOn(past({ fired: firings, rules: [rule] }), rows, []);
    expect(noisy).toEqual([
      {
        name: 'Flaps',
        firings: 5,
        withCause: 1,
        total: 28,
        median: 2,
        longer: { heldFor: 6 * MINUTE, firings: 1 },
      },
    ]);
  });
});
