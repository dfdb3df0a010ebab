import { describe, expect, it } from 'vitest';
import { richText } from '../../../src/bot/alerts/message.ts';
import {
  firstCodeBlock,
  linksOf,
  plainText,
  toMarkdown,
  unescaped,
  withoutCodeBlocks,
  withoutMarkup,
  withoutUrls,
} from '../../../src/bot/alerts/slack-text.ts';

describe("Slack's text", () => {
  it('is unescaped once', () => {
    expect(unescaped('a &amp;lt; b &lt;c&gt; &quot;')).toBe('a &lt; b <c> &quot;');
  });

  it.each([
    ['<https://a.example/?x=1&amp;y=2>', 'https://a.example/?x=1&y=2'],
    ['see <https://a.example|the &amp; page>', 'see the & page'],
    ['<!here> <@U0AB> <!subteam^S1|@sre> <#C1|ops>: down', '  @sre ops: down'],
    ['<!date^1795021200^Started {date}|earlier>', '2026-11-18T17:00:00Z'],
    ['<!date^x^y|earlier>', 'earlier'],
    ['a < b <not a link>', 'a < b <not a link>'],
  ])('%s is plainly %s', (mrkdwn, text) => {
    expect(plainText(mrkdwn)).toBe(text);
  });

  it('keeps its links as Markdown', () => {
    expect(toMarkdown('<https://a.example?a&amp;b|A> and <https://b.example>')).toBe(
      '[A](https://a.example?a&b) and https://b.example',
    );
  });

  it('is Markdown with its bold and its bullets', () => {
    expect(toMarkdown('*Alert:* a*b *c*.\n • *pod:* `x`\n**Firing**\n- 2 * 3 * 4')).toBe(
      '**Alert:** a*b **c**.\n- **pod:** `x`\n**Firing**\n- 2 * 3 * 4',
    );
  });

  it('gives its links with their labels', () => {
    expect(linksOf('<https://a.example?a&amp;b|A&lt;> <@U1> <http://b.example>')).toStrictEqual([
      { url: 'https://a.example?a&b', label: 'A<' },
      { url: 'http://b.example', label: null },
    ]);
  });

  it('is bare without emoji and marks, and keeps colons that are no emoji', () => {
    expect(
      withoutMarkup(':fire: *Disk* `full` _now_ 🔥 at 10:30:45 in arn:aws:sns:eu, snake_case_name'),
    ).toBe('Disk full now at 10:30:45 in arn:aws:sns:eu, snake_case_name');
  });

  it('without urls keeps the words around them', () => {
    expect(withoutUrls('at <https://a.example/2026-01-01T00:00:00Z> noon, https://b.example/x too')).toBe(
      'at   noon,   too',
    );
  });

  it.each([
    ['a ```x\ny``` b ```z``` c', 'x\ny', 'a  b  c'],
    ['```a `b````c', 'a `b`', 'c'],
    ['a ```b', null, 'a ```b'],
    ['a `b` c', null, 'a `b` c'],
    ['``````', null, ''],
  ])('%s has the code %s, and without it is %s', (text, code, rest) => {
    expect([firstCodeBlock(text), withoutCodeBlocks(text)]).toStrictEqual([code, rest]);
  });

  it('may be rich text: lists, links, emoji, people', () => {
    const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });
    const list = {
      type: 'rich_text_list',
      elements: [section({ type: 'text', text: 'one' }), section({ type: 'text', text: 'two' })],
    };
    const line = section(
      { type: 'broadcast', range: 'here' },
      { type: 'user', user_id: 'U1' },
      { type: 'link', url: 'https://a.example', text: 'A' },
      { type: 'emoji', name: 'fire' },
      7,
    );
    expect(richText([line, list])).toBe('<!here><@U1><https://a.example|A>:fire:\n• one\n• two');
  });
});
