import { describe, expect, it } from 'vitest';
import { placeOf } from '../../page/model/place.ts';
import { prepared, withoutBegunTable } from '../../page/model/rows.ts';
import { encodeText, plainText, safeHref, splitCommand, withLowercaseDays } from '../../page/model/texts.ts';
import { emojiOf, withShortcodes } from '../../src/page-emoji.ts';

describe('what is typed', () => {
  const names = {
    users: [
      { id: 'U1', name: 'alice' },
      { id: 'U2', name: 'al' },
      { id: 'UB', name: 'Gizmo' },
      { id: 'U3', name: 'j.doe' },
    ],
    channels: [{ id: 'C1', name: 'team-payments' }],
  };

  it.each([
    ['@gizmo why?', '<@UB> why?'],
    ['thanks @alice.', 'thanks <@U1>.'],
    ['@al-@j.doe, in #team-payments!', '<@U2>-<@U3>, in <#C1>!'],
    ['mail me@alice and @nobody', 'mail me@alice and @nobody'],
    ['a < b && <@U1> <!channel>', 'a &lt; b &amp;&amp; &lt;@U1&gt; &lt;!channel&gt;'],
  ])('is sent as Slack would send it: %s', (typed, sent) => {
    expect(encodeText(typed, names)).toBe(sent);
  });

  it.each([
    ['/issue 7', { command: '/issue', text: '7' }],
    ['/ask why <b>\nreally?', { command: '/ask', text: 'why <b>\nreally?' }],
    ['  /ask ', { command: '/ask', text: '' }],
    ['/', null],
    ['and/or', null],
  ])('is a command where it begins with one: %j', (typed, command) => {
    expect(splitCommand(typed)).toEqual(command);
  });
});

describe('what is shown', () => {
  it('is plain where it cannot be drawn', () => {
    const text =
      '<https://x.example|a link> <https://y.example> <@U1> <#C1|alerts> <!here> 1 &lt; 2 &amp;amp; &lt;@U2&gt;';
    expect(plainText(text)).toBe('a link https://y.example @U1 #alerts @here 1 < 2 &amp; <@U2>');
  });

  it('links to web and mail addresses only', () => {
    const addresses = [
      'https://a.example/b',
      'mailto:a@b.example',
      'javascript:alert(1)',
      'data:text/html,x',
      '//x',
      7,
    ];
    expect(addresses.map(safeHref)).toEqual([
      'https://a.example/b',
      'mailto:a@b.example',
      null,
      null,
      null,
      null,
    ]);
  });

  it('has shortcodes for emoji, but not in code and links', () => {
    expect(withShortcodes('⚠️ Status:🔴 `🔴` <https://x.example|🔴> 🦄 5 ©2')).toBe(
      ':warning: Status: :red_circle: `🔴` <https://x.example|🔴> :unicorn: 5 :copyright:2',
    );
    expect(['fire', 'constructor', 'nothing'].map(emojiOf)).toEqual(['🔥', null, null]);
  });

  it('keeps escaped brackets from becoming markup, wherever a text stands in a block', () => {
    const block = {
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: '&gt; quote\n&lt;!channel&gt; <https://x.example|x>' },
      fields: [{ type: 'plain_text', text: '<@U1>' }, null, 5],
    };
    expect(prepared(block)).toEqual({
      type: 'section',
      text: { type: 'mrkdwn', verbatim: false, text: '&gt; quote\n<\u2060!channel> <https://x.example|x>' },
      fields: [{ type: 'plain_text', text: '<\u2060@U1>' }, null, 5],
    });
  });
});

describe('plain text', () => {
  it('is shown as it was written: only mrkdwn has markup', () => {
    expect(prepared({ type: 'plain_text', text: '*a* _b_ ~c~ `d` [e](f)\n> g :hammer_and_wrench:' })).toEqual(
      {
        type: 'plain_text',
        text: '&#42;a&#42; &#95;b&#95; &#126;c&#126; &#96;d&#96; &#91;e](f)\n&#62; g :hammer_and_wrench:',
      },
    );
  });
});

describe('a link in Markdown', () => {
  it('with a colon in its label ends no emoji, nor does any other colon', () => {
    const text = ':rotating_light: *<http://a.example:9090/x|Rate: high>*\n:red_circle: High: yes `a:b`';
    expect(prepared({ type: 'mrkdwn', text })).toMatchObject({
      text: ':rotating_light: *<http://a.example&#58;9090/x|Rate&#58; high>*\n:red_circle: High&#58; yes `a:b`',
    });
  });

  it('is none in mrkdwn, and stays as it is in code', () => {
    expect(prepared({ type: 'mrkdwn', text: '[a](https://x.example) [b] `[c](d)`' })).toMatchObject({
      text: '&#91;a](https://x.example) [b] `[c](d)`',
    });
  });
});

describe('bold text in Markdown', () => {
  it('is none in mrkdwn: its signs are seen; in a link and in code they stay as they are', () => {
    const text = '**Firing** *since* <https://x.example/__a__|two ~~~> __init__ `**b**`';
    expect(prepared({ type: 'mrkdwn', text })).toMatchObject({
      text: '&#42;&#42;Firing&#42;&#42; *since* <https://x.example/__a__|two ~~~> &#95;&#95;init&#95;&#95; `\u2217\u2217b\u2217\u2217`',
    });
  });
});

describe('a link without words of its own', () => {
  it('shows its address as it is, also where that holds signs of markup', () => {
    const text = '<https://g.example/n?a=1&amp;m=__uid__&amp;b=*> `<https://g.example/__c__>`';
    expect(prepared({ type: 'mrkdwn', text })).toMatchObject({
      text: '<https://g.example/n?a=1&amp;m=__uid__&amp;b=%2A|https://g.example/n?a=1&amp;m=&#95;&#95;uid&#95;&#95;&amp;b=&#42;> `<https://g.example/__c__>`',
    });
  });
});

describe('a heading in Markdown', () => {
  it('stands under those of the page, whatever its level; in code it is none', () => {
    const text = '# A\n#### B\n#7 is open\n```\n# C\n```\n## D';
    expect(prepared({ type: 'markdown', text })).toMatchObject({
      text: '### A\n### B\n#7 is open\n```\n# C\n```\n### D',
    });
  });
});

describe('a table that is being written', () => {
  const shown = (text: string) => withoutBegunTable([{ type: 'markdown', text }]);
  it.each([
    ['Seen:\n\n| Service | Errors |', 'Seen:\n'],
    ['Seen:\n\n| Service | Errors |\n|---|--', 'Seen:\n'],
    ['Seen:\n\n| Service | Errors |\n|---|', 'Seen:\n'],
    ['| a', ''],
  ])('is not shown before it is one: %j', (text, rest) => {
    expect(shown(text)).toEqual([{ type: 'markdown', text: rest }]);
  });

  it.each(['| a | b |\n|---|:-:|', '| a |\n|---|\n| 1', 'a | b', '```\n| a', 'Done.\n', ''])(
    'is left alone once it is, and so is all else: %j',
    (text) => {
      expect(shown(text)).toEqual([{ type: 'markdown', text }]);
    },
  );
});

describe('a quote', () => {
  it('is never deeper than one, as in Slack', () => {
    const deep = '> '.repeat(1_000);
    expect(prepared({ type: 'mrkdwn', text: `${deep}a\n&gt;&gt;&gt; b\nc > d > e` })).toEqual({
      type: 'mrkdwn',
      verbatim: false,
      text: '&gt;  a\n&gt;  b\nc > d > e',
    });
    expect(prepared({ type: 'markdown', text: `${deep}a` })).toEqual({ type: 'markdown', text: '>  a' });
  });
});

describe('code', () => {
  it('shows in Markdown the brackets that were escaped, and no mention', () => {
    expect(
      prepared({ type: 'markdown', text: 'a &lt; b `cancel(&lt;pid&gt;)`\n```\n&lt;!here&gt; &amp;\n```' }),
    ).toEqual({
      type: 'markdown',
      text: 'a &lt; b `cancel(<\u2060pid>)`\n```\n<\u2060!here> &amp;\n```',
    });
  });

  it('keeps its stars to itself, and shows its ampersands', () => {
    const text = '*slow* `SELECT * FROM orders` *fast* &amp;\n```a &amp;&amp; * b```';
    expect(prepared({ type: 'mrkdwn', text })).toEqual({
      type: 'mrkdwn',
      verbatim: false,
      text: '*slow* `SELECT \u2217 FROM orders` *fast* &amp;\n```a && \u2217 b```',
    });
  });
});

describe('a permalink', () => {
  it('leads to a thread', () => {
    const reply = 'http://localhost:3000/archives/C1/p1700000000000200?thread_ts=1700000000.000100&cid=C1';
    expect(placeOf(reply)).toEqual({ channel: 'C1', thread: '1700000000.000100' });
    expect(placeOf('http://localhost:3000/archives/C1/p1700000000000200')).toEqual({
      channel: 'C1',
      thread: '1700000000.000200',
    });
    expect(placeOf('http://localhost:3000/archives/C1')).toEqual({ channel: 'C1', thread: null });
    expect(['http://localhost:3000/', 'nonsense', 'http://localhost/archives/C1/p12'].map(placeOf)).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('a date', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  const seconds = now / 1_000;

  it.each([
    ['{time} {date_short_pretty}', 0, '{time} today'],
    ['{time} {date_pretty}', 86_400, '{time} yesterday'],
    ['{time} {date_short_pretty}', -86_400, '{time} tomorrow'],
    ['{date_short_pretty} {time}', 0, '{date_short_pretty} {time}'],
    ['{time} {date_short_pretty}', 10 * 86_400, '{time} {date_short_pretty}'],
  ])('has its day in lower case unless it begins with it: %s, %d s ago', (format, ago, shown) => {
    const token = (words: string) => `since <!date^${seconds - ago}^${words}|then>.`;
    expect(withLowercaseDays(token(format), now)).toBe(token(shown));
  });
});
