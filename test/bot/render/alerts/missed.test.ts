import { describe, expect, it } from 'vitest';
import { renderMissed } from '../../../../src/bot/render/alerts/missed.ts';

const from = Date.parse('2026-03-17T02:00:00Z');
const to = Date.parse('2026-03-17T12:00:00Z');
const when =
  '<!date^1773712800^{time} {date_short_pretty}|2026-03-17 02:00 UTC> ' +
  'to <!date^1773748800^{time} {date_short_pretty}|2026-03-17 12:00 UTC>';

describe('what is said of messages that were missed', () => {
  it('names the time, how many came, and how many nobody looked at', () => {
    expect(renderMissed({ from, to, messages: 37, older: 12, isMore: false }).text).toBe(
      `🕳️ While I was down (${when}), 37 messages came; 12 are older than 6 hours and were skipped. ` +
        '`/gumshoe dry-run` shows what I would have done with them.',
    );
  });

  it('speaks of one as of one, and of more than it counted as of a least number', () => {
    expect(renderMissed({ from, to, messages: 1, older: 1, isMore: false }).text).toContain(
      '1 message came; 1 is older than 6 hours and was skipped',
    );
    expect(renderMissed({ from, to, messages: 10_040, older: 10_000, isMore: true }).text).toContain(
      'at least 10040 messages came; at least 10000 are older than 6 hours and were skipped',
    );
  });
});
