import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asPeopleCount, issuesNamed, linkIssues } from '../../../../src/bot/render/markdown/issue-links.ts';
import { anyText } from '../../../support/arbitrary-views.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

const TWELVE = 'https://acme.slack.com/archives/C1/p1';
const links = { 12: TWELVE, 13: 'https://acme.slack.com/archives/C1/p2?a=(1)&b=[2]' };
const linked = `[#12](${TWELVE})`;

describe('issue numbers in an answer', () => {
  it.each([
    ['#12', linked],
    ['See #12.', `See ${linked}.`],
    ['(#12), **#12**, _#12_? #12: yes', `(${linked}), **${linked}**, _${'#12'}_? ${linked}: yes`],
    ['#12 and #13', `${linked} and [#13](https://acme.slack.com/archives/C1/p2?a=%281%29&b=%5B2%5D)`],
    ['- **#12** Checkout\n  #12', `- **${linked}** Checkout\n  ${linked}`],
    ['- a\n    - #12', `- a\n    - ${linked}`],
    ['| #12 | open |', `| ${linked} | open |`],
  ])('become links: %s', (markdown, expected) => {
    expect(linkIssues(markdown, links)).toBe(expected);
  });

  it.each([
    ['an issue that nobody knows', '#14 #0 #120 #1'],
    ['a number of something else', 'api#12 owner/repo#12 x_#12 build-#12 ##12 /#12 @#12'],
    ['a number that goes on', '#12abc #12_ #12.5 #12,5 #1234567890'],
    ['a heading', '# 12\n#12abc'],
    ['an entity', 'a &#12; b'],
    ['what is escaped', '\\#12'],
    ['code', 'run `show #12` or ``a ` #12``'],
    ['code of several lines', 'a\n```sh\nshow #12\n```\nb'],
    ['code that is not closed yet', '```\nshow #12'],
    ['code in a list and in a quotation', '- ```\n  #12\n  ```\n\n> ~~~\n> #12\n> ~~~'],
    ['code by its indent', 'Run\n\n    show #12\n\n\tshow #12'],
    ['a link', '[see #12](https://r.example/a) [#12](https://r.example "on #12")'],
    ['an address', 'https://r.example/a/#12 and http://r.example#12'],
  ])('stay as they are in %s', (_what, markdown) => {
    expect(linkIssues(markdown, links)).toBe(markdown);
  });

  it('are links again behind code and links', () => {
    const code = '```\n#12\n```\n#12';
    expect(linkIssues(code, links)).toBe(`\`\`\`\n#12\n\`\`\`\n${linked}`);
    expect(linkIssues('`#12` #12 [a](https://r.example) #12', links)).toBe(
      `\`#12\` ${linked} [a](https://r.example) ${linked}`,
    );
  });

  it('lead nowhere but to http addresses', () => {
    expect(linkIssues('#12 #7', { 12: 'javascript:alert(1)' })).toBe('#12 #7');
    expect(linkIssues('#12', { 12: 'https://u:p@r.example/' })).toBe('#12');
  });

  it('are the first fifty, since links are long', () => {
    const many = linkIssues('#12 '.repeat(60), links);
    expect(many.split(TWELVE).length - 1).toBe(50);
    expect(many.endsWith('#12 #12 ')).toBe(true);
  });

  it('are found once each, in their order', () => {
    expect(issuesNamed('#13 then #12, `#14`, #13, api#15 and #999999999')).toEqual([13, 12, 999_999_999]);
    expect(issuesNamed('no number')).toEqual([]);
  });

  it.each([
    ['brackets that are escaped', '[\\'.repeat(50_000)],
    ['code that is never closed', Array.from({ length: 450 }, (_, at) => '`'.repeat(at + 1)).join(' ')],
    ['brackets', '[a](b "'.repeat(15_000)],
  ])('are looked for in no time among %s', (_what, markdown) => {
    const began = cpuMs();
    linkIssues(markdown, links);
    expect(cpuMs() - began).toBeLessThan(15_000);
  });

  it('are all that changes, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constantFrom('#12', ' #12', '\n#12'))), (parts) => {
        const markdown = parts.join('');
        fc.pre(!markdown.includes(TWELVE));
        expect(linkIssues(markdown, { 12: TWELVE }).replaceAll(linked, '#12')).toBe(markdown);
      }),
    );
  });
});

describe('issues of the private organization', () => {
  const links = { 1: 'https://acme.slack.com/default', P1: 'https://acme.slack.com/private' };

  it('have links of their own', () => {
    expect(linkIssues('See #1 and #P1.', links)).toBe(
      'See [#1](https://acme.slack.com/default) and [#P1](https://acme.slack.com/private).',
    );
    expect(issuesNamed('#1, #P1, #p1 and APP#P2')).toEqual([1, 'P1']);
  });

  it('are named as people know them where their own agent counts from 1', () => {
    expect(asPeopleCount('#1 is open, `#1` is code, #P2 too', 'private')).toBe(
      '#P1 is open, `#1` is code, #P2 too',
    );
    expect(asPeopleCount('#1 is open', 'default')).toBe('#1 is open');
  });
});
