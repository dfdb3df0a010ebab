import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type IssueListView,
  renderIssueList,
  unknownStatus,
} from '../../../../src/bot/render/issues/issue-list.ts';
import { anyText } from '../../../support/arbitrary-views.ts';
import { limitProblems } from '../../../support/block-limits.ts';
import { unsafeSpots } from '../../../support/block-safety.ts';
import { runs } from '../../../support/property-runs.ts';

const row = {
  number: 7,
  status: 'ready_to_fix',
  severity: 'high',
  environment: 'production',
  title: 'Checkout answers 502',
  url: 'https://acme.slack.com/archives/C1/p1000000',
  triggeredAt: Date.parse('2026-03-17T12:00:00Z'),
};
const view: IssueListView = {
  command: '/issue',
  filter: { status: 'ready_to_fix', environment: null, search: 'check & balance' },
  rows: [row, { ...row, number: 5, title: null, url: null }],
  previous: '{"before":"a"}',
  next: '{"after":"b"}',
  fromTheTop: false,
  simulated: false,
};

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
const button = (text: string, action_id: string, value: string) => ({
  type: 'button',
  text: { type: 'plain_text', text, emoji: true },
  action_id,
  value,
});
const FACTS =
  '🛠️ Ready to fix · 🔴 High · production · <!date^1773748800^{date_short_pretty} {time}|2026-03-17 12:00 UTC>';

describe('the list of issues', () => {
  it('shows each in two lines, links to cards that may be followed, and turns both ways', () => {
    expect(renderIssueList(view)).toEqual({
      text: 'Issues, ready to fix, with “check &amp; balance”: #7, #5',
      blocks: [
        { type: 'section', text: mrkdwn('*Issues, ready to fix, with “check &amp; balance”*') },
        { type: 'section', text: mrkdwn(`<${row.url}|#7> *Checkout answers 502*\n${FACTS}`) },
        { type: 'section', text: mrkdwn(`#5 _in a private channel_\n${FACTS}`) },
        {
          type: 'actions',
          elements: [
            button('‹ Previous', 'issues:previous', '{"before":"a"}'),
            button('Next ›', 'issues:next', '{"after":"b"}'),
          ],
        },
        { type: 'context', elements: [mrkdwn('Details: `/issue 7`')] },
      ],
    });
  });

  it('stays within Slack’s limits and mentions and links nothing of theirs, whatever the service says', () => {
    const anyRow = fc.record({
      number: fc.integer({ min: 1 }),
      status: anyText,
      severity: anyText,
      environment: anyText,
      title: fc.option(anyText),
      url: fc.option(anyText),
      triggeredAt: fc.oneof(fc.constant(Number.NaN), fc.integer()),
    });
    const some = fc.option(anyText);
    const filter = fc.record({ status: some, environment: some, search: some });
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 100 }), filter, fc.boolean(), (rows, asked, flag) => {
        const message = renderIssueList({ ...view, rows, filter: asked, fromTheTop: flag, simulated: flag });
        expect(limitProblems(message)).toEqual([]);
        expect(unsafeSpots(message)).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('a status that there is not', () => {
  it('is said with those that there are, and nothing of what was typed gets through', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const message = unknownStatus(typed, ['resolved', 'muted'], 'muted');
        expect(limitProblems(message)).toEqual([]);
        expect(unsafeSpots(message)).toEqual([]);
      }),
    );
    expect(unknownStatus('<!here>', ['resolved'], null).text).toBe(
      '“&lt;!here&gt;” is not a status. Use one of `resolved`.',
    );
  });
});
