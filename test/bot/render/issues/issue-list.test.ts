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
  const heading = { type: 'section', text: mrkdwn('*Issues, ready to fix, with “check &amp; balance”*') };
  const below = [
    {
      type: 'actions',
      elements: [
        button('‹ Previous', 'issues:previous', '{"before":"a"}'),
        button('Next ›', 'issues:next', '{"after":"b"}'),
      ],
    },
    { type: 'context', elements: [mrkdwn('Details: `/issue 7`')] },
  ];

  it('is a table whose rows are named by their issue, with links to cards that may be followed, and turns both ways', () => {
    const raw = (text: string) => ({ type: 'raw_text', text });
    const rich = (...elements: object[]) => ({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements }],
    });
    const text = (words: string) => ({ type: 'text', text: words });
    const since = {
      type: 'date',
      timestamp: 1773748800,
      format: '{time} {date_short_pretty}',
      fallback: '2026-03-17 12:00 UTC',
    };
    const cause = 'Bad deploy of pay_ments & more at 11:58 UTC';
    const symptoms = [{ name: 'seats', number: 6, isAlert: true, isFiring: true, hasRecovered: false }];
    const { text: said, blocks } = renderIssueList({
      ...view,
      rows: [{ ...row, cause, symptoms }, ...view.rows.slice(1)],
    });
    expect(said).toBe('Issues, ready to fix, with “check &amp; balance”: #7, #5');
    expect(blocks).toEqual([
      {
        type: 'data_table',
        // What both have in common is said here, once.
        caption: 'Issues, ready to fix, with “check & balance” · 🔴 High · production',
        page_size: 10,
        row_header_column_index: 0,
        rows: [
          ['Issue', 'Root cause', 'Symptoms', 'Since'].map(raw),
          [
            rich({ type: 'link', url: row.url, text: '#7' }, text(' '), text('Checkout answers 502')),
            rich(text('Bad deploy of pay_ments & more at '), {
              type: 'date',
              timestamp: 1773748680,
              format: '{time}',
              fallback: '11:58 UTC',
            }),
            raw('1 symptom: seats (#6)'),
            rich(since),
          ],
          [rich(text('#5'), text(' '), text('in a private channel')), raw('–'), raw('–'), rich(since)],
        ],
      },
      ...below,
    ]);
  });

  it('is two lines for each where Slack takes no tables', () => {
    expect(renderIssueList(view).plainer).toEqual([
      heading,
      { type: 'section', text: mrkdwn(`<${row.url}|#7> *Checkout answers 502*\n${FACTS}`) },
      { type: 'section', text: mrkdwn(`#5 _in a private channel_\n${FACTS}`) },
      ...below,
    ]);
  });
});

describe('a status that there is not', () => {
  it('is said with those that there are', () => {
    expect(unknownStatus('<!here>', ['resolved'], null).text).toBe(
      '“&lt;!here&gt;” is not a status. Use one of `resolved`.',
    );
  });
});
