import { describe, expect, it } from 'vitest';
import { type WhyView, whyModal } from '../../../../src/bot/render/alerts/why.ts';
import { anAlert } from '../../../support/an-alert.ts';
import { allStrings } from '../../../support/block-strings.ts';

const AT = Date.parse('2026-03-17T12:00:00Z');
const DATE = '<!date^1773748800^{time} {date_short_pretty}|2026-03-17 12:00 UTC>';

const view = (overrides: Partial<WhyView> = {}): WhyView => ({
  alert: anAlert({ severity: 'high', host: 'web-1', alertUrl: 'https://tool.example/1', tags: ['a', 'b'] }),
  tool: 'Alertmanager',
  sender: 'alerts-bot',
  identity: 'cpu@production',
  record: { decision: 'repeat', reason: 'already_open', at: AT, outcome: null },
  missed: null,
  issue: { number: 12, status: 'ready_to_fix', title: 'CPU is high', url: 'https://acme.slack.com/p1' },
  hold: null,
  ...overrides,
});

function wordsOf(shown: WhyView): string[] {
  return allStrings(whyModal(shown).blocks).flatMap(([path, text]) =>
    path.endsWith('mrkdwn:text') ? [text] : [],
  );
}

describe('the window of Why was this (not) filed?', () => {
  it('shows the decision, its reason, the issue and everything that was read', () => {
    expect(wordsOf(view())).toEqual([
      `*🔁 Repeat* · ${DATE}\nthe same alert already has an open issue`,
      '*Issue*\n<https://acme.slack.com/p1|#12> CPU is high · 🛠️ Ready to fix',
      '*How I read it*\nPosted by alerts-bot, read as Alertmanager: an alert that fired.',
      '*Title:* CPU is high\n*Severity:* high\n*Host:* web-1',
      '*Tags:* a, b\n*Link:* <https://tool.example/1|Open the alert>',
      'Fingerprint `cpu`',
      'tracked as `cpu@production`',
    ]);
  });

  it.each([
    [
      null,
      'rolling',
      '*Held*\nmany problems fired within a minute; waiting under this channel’s message about held alerts',
    ],
    ['joined', 'closed', '*Held*\nmany problems fired within a minute; counted toward an open issue'],
    [null, 'closed', '*Held*\nmany problems fired within a minute; nobody decided'],
  ])(
    'of a held alert whose outcome is %s in a hold that is %s says what became of it',
    (outcome, state, words) => {
      const record = { decision: 'held', reason: 'held_then_joined', at: AT, outcome } as const;
      expect(wordsOf(view({ record, hold: { reason: 'storm', state }, issue: null }))).toContain(words);
    },
  );

  it('without a record says why, and what would be decided now', () => {
    const missed = {
      why: 'this channel is not watched',
      would: { decision: 'filed', reason: 'new_alert' },
    } as const;
    expect(wordsOf(view({ record: null, missed, issue: null }))[0]).toBe(
      '*Not processed*\nthis channel is not watched\n\n*If it came now: ✅ Filed*\na new alert',
    );
  });

  it('of what has no fingerprint says that no repeat of it can be known', () => {
    const alert = anAlert({ kind: 'not_an_alert', fingerprint: null });
    expect(wordsOf(view({ alert, identity: null })).at(-1)).toBe(
      'No fingerprint, so repeats cannot be recognized.',
    );
  });
});
