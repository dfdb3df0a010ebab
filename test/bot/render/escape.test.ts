import { describe, expect, it } from 'vitest';
import {
  bold,
  channelMention,
  clean,
  escapeAngles,
  escapeControls,
  literal,
  userMention,
} from '../../../src/bot/render/escape.ts';

describe('untrusted text in mrkdwn', () => {
  it('cannot mention, link or write an entity', () => {
    expect(literal('<!channel> <@U1> <https://evil.example|ok> &lt;')).toBe(
      '&lt;!channel&gt; &lt;@U1&gt; &lt;https://evil.example|ok&gt; &amp;lt;',
    );
  });

  it('cannot format: what could is replaced by a character that looks the same', () => {
    expect(literal('*bold* _italic_ ~gone~ `code ```block```')).toBe(
      '∗bold∗ ˍitalicˍ ∼gone∼ ˋcode ˋˋˋblockˋˋˋ',
    );
  });

  it('keeps code as it is, to the last character, and goes on after it as before', () => {
    const query = '`sum by (le) (rate({__name__=~"a_.*|b",job!~"~x"}[5m])) *on() 2`';
    expect(literal(`*x* ${query}*y* > z`)).toBe(`∗x∗ ${query}∗y∗ &gt; z`);
    expect(literal('`a < b && <!channel>`')).toBe('`a &lt; b &amp;&amp; &lt;!channel&gt;`');
  });

  it('keeps what cannot format, so that names and formulas stay copyable', () => {
    expect(literal('http_requests_total a * b a*b x__y ~ 5')).toBe('http_requests_total a * b a*b x__y ~ 5');
  });

  it('cannot quote what follows', () => {
    expect(literal('>>> all of it\n > this\na > b')).toBe('››› all of it\n › this\na &gt; b');
  });

  it('loses control characters, direction overrides and half characters', () => {
    expect(clean('a\u0000b\u202ec\ud83dd\r\ne\tf')).toBe('abc\ufffdd\ne\tf');
  });
});

describe('bold', () => {
  it('holds whatever the text does, on one line', () => {
    expect(bold(' disk * full*\n`x*`')).toBe('*disk ∗ full∗* `x*`');
  });

  it('is empty for empty text, since two asterisks would show', () => {
    expect(bold(' \n')).toBe('');
  });
});

describe('escapes for other surfaces', () => {
  it('escape the ampersand first', () => {
    expect(escapeControls('a < b && c > d')).toBe('a &lt; b &amp;&amp; c &gt; d');
  });

  it('leave ampersands in Markdown, where addresses need them', () => {
    expect(escapeAngles('<!here> https://a.example/?x=1&y=2')).toBe(
      '&lt;!here&gt; https://a.example/?x=1&y=2',
    );
  });
});

describe('mentions', () => {
  it('are built of ids only', () => {
    expect([userMention('U0ALICE'), userMention('W1'), channelMention('C1')]).toEqual([
      '<@U0ALICE>',
      '<@W1>',
      '<#C1>',
    ]);
  });

  it('are words where the id is none', () => {
    expect([userMention('U1> <!channel'), userMention(''), channelMention('general')]).toEqual([
      'someone',
      'someone',
      'that channel',
    ]);
  });
});
