import { describe, expect, it } from 'vitest';
import { body, code, link, safeUrl } from '../../../src/bot/render/links.ts';

describe('a link', () => {
  it('leads to http and https', () => {
    expect(link('https://a.example/x?y=1&z=2', 'Open the alert')).toBe(
      '<https://a.example/x?y=1&amp;z=2|Open the alert>',
    );
  });

  it.each([
    'javascript:alert(1)',
    'slack://open',
    'data:text/html,x',
    '/relative',
    '',
    'https://bank.example@evil.example/',
  ])('is only its label for %j', (url) => {
    expect(link(url, 'Open')).toBe('Open');
  });

  it('cannot be ended by its label', () => {
    expect(link('https://a.example/', 'a|b>c\n<!channel>')).toBe('<https://a.example/|a b c !channel>');
  });

  it('cannot be ended by its address', () => {
    expect(link('https://a.example/x|y>z<!channel>', 'Open')).toBe(
      '<https://a.example/x%7Cy%3Ez%3C!channel%3E|Open>',
    );
  });

  it('shows its address where the label would pass for another', () => {
    expect(link('https://evil.example/', 'https://bank.example/')).toBe('<https://evil.example/>');
    expect(link('https://evil.example/', 'bank.example')).toBe('<https://evil.example/>');
  });

  it('is only its label where the address is longer than Slack takes', () => {
    expect(safeUrl(`https://a.example/${'x'.repeat(2000)}`)).toBeNull();
  });
});

describe('a text of several lines', () => {
  it('keeps code, links bare addresses to themselves, and reads literally otherwise', () => {
    expect(body('Run `kubectl get <pod>`, see https://r.example/a?b=1&c=2. *Now*\n```\na && b\n```')).toBe(
      'Run `kubectl get &lt;pod&gt;`, see <https://r.example/a?b=1&amp;c=2>. ∗Now∗\n```\na &amp;&amp; b\n```',
    );
  });

  it('takes no bracket after an address for a quote', () => {
    expect(body('See <https://a.example> and\n> that')).toBe('See &lt;<https://a.example/>&gt; and\n› that');
  });

  it('links no address that hides where it leads', () => {
    expect(body('https://bank.example@evil.example/')).toBe('https://bank.example@evil.example/');
  });

  it('has no code where a backtick stands alone', () => {
    expect(body('a ` b')).toBe('a ˋ b');
  });
});

describe('a command', () => {
  it('stays copyable', () => {
    expect(code(' rm *.log && ls <dir> ')).toBe('`rm *.log &amp;&amp; ls &lt;dir&gt;`');
    expect(code('a\n*b*')).toBe('```\na\n*b*\n```');
    expect(code('echo `date`')).toBe('```\necho `date`\n```');
  });

  it('cannot end its code early', () => {
    expect(code('a ``` *b*')).toBe('a ˋˋˋ ∗b∗');
    expect(code(' ')).toBe('');
  });
});
