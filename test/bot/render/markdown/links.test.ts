import { describe, expect, it } from 'vitest';
import { honestLinks } from '../../../../src/bot/render/markdown/links.ts';

const Z = '\u200b';

describe('links in the agent’s Markdown', () => {
  it.each([
    ['[the runbook](https://r.example/a?x=1&y=2)', '[the runbook](https://r.example/a?x=1&y=2)'],
    ['[`pool_waiting`](http://m.example/q "Title")', '[`pool_waiting`](http://m.example/q)'],
    ['see https://r.example/a and arr[0], f(x)', 'see https://r.example/a and arr[0], f(x)'],
    ['curl http://[::1]:8080/x', 'curl http://[::1]:8080/x'],
  ])('%s stays a link', (markdown, expected) => {
    expect(honestLinks(markdown)).toBe(expected);
  });

  it.each([
    ['[https://bank.example](https://evil.example/)', '[https://evil.example/](https://evil.example/)'],
    ['[https://bank.example \\[x](https://evil.example/)', '[https://evil.example/](https://evil.example/)'],
    ['[bank.example](https://evil.example/x)', '[bank.example (evil.example)](https://evil.example/x)'],
    ['[card.ts](https://git.example/card.ts)', '[card.ts (git.example)](https://git.example/card.ts)'],
    ['![ ](https://evil.example/p.png)', '[https://evil.example/p.png](https://evil.example/p.png)'],
  ])('%s says where it leads', (markdown, expected) => {
    expect(honestLinks(markdown)).toBe(expected);
  });

  it.each([
    ['[a](javascript:alert(1))', `[a]${Z}(javascript:alert(1))`],
    ['[a](&#106;avascript:x)', `[a]${Z}(&#106;avascript:x)`],
    ['[a](<javascript:x>)', `[a]${Z}(<javascript:x>)`],
    ['[a]( https://x.example)', `[a]${Z}( https://x.example)`],
    ['[a](https://bank.example@evil.example/)', `[a]${Z}(https://bank.example@evil.example/)`],
    [
      '[https://bank.example `[` x](https://evil.example)',
      `[https://bank.example \`[\` x]${Z}(https://evil.example)`,
    ],
    ['[a\nb](javascript:x)', `[a\nb]${Z}(javascript:x)`],
    ['[a]: javascript:x', `[a]${Z}: javascript:x`],
    ['  > - [a]:\n  javascript:x', `  > - [a]${Z}:\n  javascript:x`],
    ['[a\nb]: javascript:x', `[a\nb]${Z}: javascript:x`],
  ])('%j is no link', (markdown, expected) => {
    expect(honestLinks(markdown)).toBe(expected);
  });
});
