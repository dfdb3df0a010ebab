import { describe, expect, it } from 'vitest';
import { renderChannelHistory, renderIssueHistory } from '../../../../src/bot/render/admin/audit.ts';
import { context, section } from '../../../../src/bot/render/rendered.ts';

const AT = Date.parse('2026-11-20T08:00:00Z');
const DATE = '<!date^1795161600^{time} {date_short_pretty}|2026-11-20 08:00 UTC>';
const issue = { number: 12, status: 'resolved', title: 'Disk', url: null };

describe('a history', () => {
  it('is a line an entry, the newest last; what nobody did names nobody', () => {
    const lines = [
      { at: AT, who: null, what: 'filed automatically' },
      { at: AT, who: 'U1', what: 'muted it' },
    ];
    expect(renderIssueHistory(issue, { lines, older: 3 })).toEqual({
      text: '*History of #12 Disk · ✅ Resolved*',
      blocks: [
        section('*History of #12 Disk · ✅ Resolved*'),
        context('… and 3 older'),
        section(`• ${DATE} · filed automatically\n• ${DATE} · <@U1> muted it`),
        context('5 entries'),
      ],
    });
  });

  it('leaves off the oldest of what one message does not hold, and counts them', () => {
    const lines = Array.from({ length: 60 }, (_, n) => ({
      at: AT,
      who: 'U1',
      what: `${n} ${'word '.repeat(60)}`,
    }));
    const message = renderChannelHistory('C1', { lines, older: 5 });
    const words = JSON.stringify(message);
    const shown = [...words.matchAll(/<@U1> (\d+) word/gu)].map(([, n]) => Number(n));
    expect(shown.at(-1)).toBe(59);
    expect(shown[0]).toBeGreaterThan(0);
    expect(words).toContain(`… and ${65 - shown.length} older`);
    expect(words).toContain('65 entries');
  });
});
