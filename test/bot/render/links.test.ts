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

  it.each([
    'https://evil.example/%7Cx%3E',
    'https://evil.example/%3C!channel%3E',
    'https://evil.example/%253C!channel%253E',
    'https://evil.example/%25253C%2521here%25253E',
    'https://evil.example/x|y>z<!channel>',
    'https://evil.example/a%3Eb',
    'https://evil.example/%0A%0D',
    'https://evil.example/a\nb',
    'https://evil.example/?q=%00',
    'https://evil.example/?q=%1b%5B31m',
    'https://evil.example/?q=%3C%21channel%3E',
    'https://evil.example/?q=<!here>',
    'https://evil.example/?q=%3C@U123%3E',
    'https://evil.example/?q=%3C#C123%3E',
    'https://evil.example/?q=%3Chttps://bank.example%7Cbank%3E',
    'https://evil.example/#%7CBank%3E',
    'HTTPS://evil.example/%7c%3e',
  ])('is only its label where it could become markup once it is decoded: %j', (url) => {
    expect(link(url, 'Open')).toBe('Open');
    expect(body(`see ${url.replace('\n', ' ')}`)).not.toMatch(/<https?:[^>]*(?:%25)*(?:%3C|%7C|%3E|%0|%1)/iu);
  });

  it.each([
    ['https://prom.example/graph?g0.expr=rate%28x%5B5m%5D%29+%3E+0.05&g0.tab=1', null],
    ['https://prom.example/graph?g0.expr=a%3C1', null],
    ['https://prom.example/graph?g0.expr=a > 1', 'https://prom.example/graph?g0.expr=a%20%3E%201'],
    ['https://grafana.example/explore?left=%7B%22q%22%3A%22a%7Cb%22%7D', null],
    ['https://a.example/100%25', null],
    ['https://a.example/%E4%B8%AD?x=%', null],
  ])('stays a link with a comparison in its query: %s', (url, href) => {
    expect(safeUrl(url)).toBe(href ?? url);
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

it('a bare address that would fill a phone is shown by its host', () => {
  const address = `https://grafana.example/explore?left=${'a'.repeat(200)}`;
  expect(body(`logs: ${address}.`)).toBe(`logs: <${address}|grafana.example/…>.`);
});
