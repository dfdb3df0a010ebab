import { describe, expect, it } from 'vitest';
import { answerMarkdown, withSign } from '../../../../src/bot/render/markdown/split.ts';

describe('an answer’s Markdown', () => {
  it('mentions nobody, links honestly, and keeps tables and code', () => {
    const answer = [
      '<!channel> <@U0ALICE> #12',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | `x < y` |',
      '```sh',
      'echo "#12" > /tmp/a',
      '```',
      '[https://bank.example](https://evil.example)',
    ].join('\r\n');
    expect(answerMarkdown(answer, { 12: 'https://acme.slack.com/archives/C1/p1' })).toBe(
      [
        '&lt;!channel&gt; &lt;@U0ALICE&gt; [#12](https://acme.slack.com/archives/C1/p1)',
        '',
        '| a | b |',
        '|---|---|',
        '| 1 | `x &lt; y` |',
        '```sh',
        'echo "#12" &gt; /tmp/a',
        '```',
        '[https://evil.example/](https://evil.example/)',
      ].join('\n'),
    );
  });
});

describe('the sign that an answer goes on', () => {
  it.each([
    ['The pool', 'The pool ▍'],
    ['a\n- the pool', 'a\n- the pool ▍'],
    ['```\nls -l', '```\nls -l ▍'],
    ['```\nls\n```', '```\nls\n```\n\n▍'],
    ['~~~\nls\n~~~', '~~~\nls\n~~~\n\n▍'],
    ['| a | b |\n|---|---|', '| a | b |\n|---|---|\n\n▍'],
    ['Pools\n---', 'Pools\n---\n\n▍'],
  ])('changes nothing of what it follows: %j', (markdown, expected) => {
    expect(withSign(markdown)).toBe(expected);
  });
});
