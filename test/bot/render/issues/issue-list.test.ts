import { describe, expect, it } from 'vitest';
import {
  type IssueListView,
  renderIssueList,
  unknownStatus,
} from '../../../../src/bot/render/issues/issue-list.ts';

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
  '🛠️ Ready to fix · 🔴 High · production · <!date^1773748800^{time} {date_short_pretty}|2026-03-17 12:00 UTC>';

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
});

describe('a status that there is not', () => {
  it('is said with those that there are', () => {
    expect(unknownStatus('<!here>', ['resolved'], null).text).toBe(
      '“&lt;!here&gt;” is not a status. Use one of `resolved`.',
    );
  });
});
