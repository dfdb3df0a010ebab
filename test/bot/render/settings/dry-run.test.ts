import { checkBlocks } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { type DryRunRow, renderDryRun } from '../../../../src/bot/render/settings/dry-run.ts';

const AT = Date.parse('2026-03-17T12:00:00Z');
const URL = 'https://acme.slack.com/archives/C1/p1';

function row(overrides: Partial<DryRunRow> = {}): DryRunRow {
  return {
    at: AT,
    title: 'CPU is high',
    url: URL,
    tool: 'Alertmanager',
    read: 'firing · high',
    decision: 'filed',
    before: false,
    reason: 'new_alert',
    issue: 'new 1',
    ...overrides,
  };
}

const view = (rows: DryRunRow[], more = {}) => ({
  rows,
  watched: true,
  paused: false,
  simulated: false,
  ...more,
});

describe('a dry run', () => {
  it('is a table with the newest message first, below what it comes to', () => {
    const rows = [
      row({ before: true, issue: '#12' }),
      row({ decision: 'repeat', reason: 'already_open', issue: '#12' }),
      row({
        decision: 'ignored',
        tool: null,
        read: '',
        title: '',
        reason: 'person_author',
        issue: null,
      }),
    ];
    const totals =
      '*Dry run over the last 3 messages, with the current settings*: 1 already filed, 1 repeat, 1 not filed. The dry run itself files nothing.';
    const raw = (text: string) => ({ type: 'raw_text', text });
    const message = (text: string) => ({
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            {
              type: 'date',
              timestamp: AT / 1000,
              format: '{time} {date_short_pretty}',
              fallback: '2026-03-17 12:00 UTC',
            },
            { type: 'text', text: ' ' },
            { type: 'link', url: URL, text },
          ],
        },
      ],
    });
    const [{ text, blocks } = { text: '', blocks: [] }, ...more] = renderDryRun(view(rows));
    expect(more).toEqual([]);
    expect({ text, blocks }).toEqual({
      text: totals,
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: totals, verbatim: true } },
        {
          type: 'data_table',
          caption: 'What would happen to each message',
          page_size: 20,
          row_header_column_index: 0,
          rows: [
            ['Message', 'Tool', 'Read as', 'Decision', 'Reason', 'Issue'].map(raw),
            [
              message('message'),
              raw('–'),
              raw('–'),
              raw('not filed'),
              raw('written by a person; this channel files only tools’ alerts automatically'),
              raw('–'),
            ],
            [
              message('CPU is high'),
              raw('Alertmanager'),
              raw('firing · high'),
              raw('repeat'),
              raw('the same alert already has an open issue'),
              raw('#12'),
            ],
            [
              message('CPU is high'),
              raw('Alertmanager'),
              raw('firing · high'),
              raw('filed as #12'),
              raw('a new alert'),
              raw('#12'),
            ],
          ],
        },
      ],
    });
  });

  it('says the same in words', () => {
    const messages = renderDryRun(view([row()], { simulated: true }));
    expect(messages.flatMap(({ plainer = [] }) => plainer)).toEqual([
      expect.objectContaining({ type: 'context' }),
      expect.objectContaining({ type: 'section' }),
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text:
            '<!date^1773748800^{time} {date_short_pretty}|2026-03-17 12:00 UTC> ' +
            `<${URL}|CPU is high> · Alertmanager (firing · high)\n*filed* · new 1: a new alert`,
          verbatim: true,
        },
      },
    ]);
  });

  it('says what it was that it decided with', () => {
    const [first] = renderDryRun(view([row()], { watched: false, paused: true }));
    expect(first?.text).toContain('This channel is not watched');
    expect(first?.text).toContain('ignores the pause');
  });

  it('over nothing says so', () => {
    expect(renderDryRun(view([])).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^There are no messages here/),
    ]);
  });

  it('of 100 messages that all say much shows every one, in messages that Slack takes', () => {
    const much = Array.from({ length: 400 }, (_, n) => `<&${n}>`).join(' ');
    const rows = Array.from({ length: 100 }, (_, n) =>
      row({
        title: `number ${n} ${much}`,
        reason: { code: 'excluded', pattern: much },
        tool: much,
        read: much,
        url: `${URL}${'0'.repeat(60)}`,
      }),
    );
    const messages = renderDryRun(view(rows));
    const tables = messages.map(({ blocks }) => blocks);
    const words = messages.map(({ plainer = [] }) => plainer);
    for (const blocks of [...tables, ...words]) expect(() => checkBlocks(blocks)).not.toThrow();
    for (const all of [tables, words].map((form) => JSON.stringify(form))) {
      expect(rows.filter((_, n) => !all.includes(`number ${n} `))).toEqual([]);
      expect(all).not.toContain('more parts');
    }
    expect(tables.length).toBeLessThanOrEqual(8);
  });
});
