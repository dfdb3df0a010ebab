import { describe, expect, it } from 'vitest';
import { blockInReadersTime, inReadersTime, inUtc, momentOf } from '../../../src/bot/render/readers-time.ts';
import { context, section } from '../../../src/bot/render/rendered.ts';

const NEAR = Date.parse('2026-11-20T23:50:00Z');
const token = (iso: string) => `<!date^${Date.parse(iso) / 1000}^{time}|${iso.slice(11, 16)} UTC>`;

describe('a time of day that the service states', () => {
  it("is Slack's, on the day nearest to the alert", () => {
    expect(inReadersTime('From 23:41 UTC to 00:05 UTC.', NEAR)).toBe(
      `From ${token('2026-11-20T23:41:00Z')} to ${token('2026-11-21T00:05:00Z')}.`,
    );
  });

  it('stays as it is in code, in a link, with a date, and where nothing says when it was', () => {
    const kept = [
      '`at 23:41 UTC`',
      '```\n23:41 UTC\n```',
      '<https://a.example/23:41 UTC>',
      '<!date^1^{time} {date_short_pretty}|2026-11-20 23:41 UTC>',
      'deployed at 2026-11-20 23:41 UTC',
      '12:23:41 UTC, 24:41 UTC, 23:41 UTCX',
    ];
    for (const text of kept) expect(inReadersTime(text, NEAR)).toBe(text);
    expect(inReadersTime('23:41 UTC', null)).toBe('23:41 UTC');
  });

  it('makes no text longer than Slack takes', () => {
    const text = '23:41 UTC '.repeat(290);
    expect(inReadersTime(text, NEAR)).toBe(text);
    expect(inUtc(inReadersTime('At 23:41 UTC.', NEAR))).toBe('At 23:41 UTC.');
  });
});

it('all text of a block is told in that time, and nothing else of it', () => {
  const said = `At ${token('2026-11-20T23:41:00Z')}`;
  expect(blockInReadersTime(section('At 23:41 UTC'), NEAR)).toEqual(section(said));
  expect(blockInReadersTime(context('At 23:41 UTC'), NEAR)).toEqual(context(said));
  const image = { type: 'image' as const, image_url: 'https://a.example/a.png', alt_text: 'At 23:41 UTC' };
  expect(blockInReadersTime(image, NEAR)).toEqual(image);
});

it('results are about the moment of their alert, else the last that they state', () => {
  const change = { type: 'change', timestamp: '2026-11-20T10:00:00Z' };
  const alert = { type: 'alert', timestamp: '2026-11-20T10:05:00Z' };
  const later = { type: 'effect', timestamp: '2026-11-20T10:10:00Z' };
  expect(momentOf({ timeline: [change, alert, later] })).toBe(Date.parse(alert.timestamp));
  expect(momentOf({ timeline: [change, later, { timestamp: 'soon' }] })).toBe(Date.parse(later.timestamp));
  expect(momentOf({})).toBeNull();
});
