import { describe, expect, it } from 'vitest';
import {
  type Misunderstood,
  unknownSeverity,
  usageAsk,
  usageInvestigate,
  usageIssue,
} from '../../../../src/bot/render/admin/usage.ts';

describe('what a command does not understand', () => {
  it.each<[Misunderstood, string]>([
    [
      { why: 'unknown', typed: 'resovle', nearest: 'resolve', number: 7 },
      'I do not know “resovle”. Did you mean:\n`/issue resolve 7`',
    ],
    [
      { why: 'unknown', typed: 'poem', nearest: null, number: null },
      'I do not know “poem”. To show an issue or search for one:\n`/issue 12`\n`/issue list timeout`',
    ],
    [{ why: 'no_number', verb: 'mute' }, 'Which issue? Add the number on its card:\n`/issue mute 12 24h`'],
    [
      { why: 'not_a_number', typed: 'all', verb: 'resolve' },
      '“all” is not an issue number. Use the number on its card:\n`/issue resolve 12`',
    ],
    [{ why: 'bad_number', typed: '0' }, 'There is no issue 0. Numbers start at 1:\n`/issue 12`'],
    [{ why: 'many_numbers', verb: 'ready', number: 3 }, 'One issue at a time, please:\n`/issue ready 3`'],
    [
      { why: 'two_verbs', verbs: ['resolve', 'delete'], number: 3 },
      'That is two commands at once. Which one?\n`/issue resolve 3`\n`/issue delete 3`',
    ],
    [
      { why: 'span', typed: 'forever', number: 3 },
      'I do not understand “forever”. Mute for 1 minute to 90 days; the default is 24 hours:\n`/issue mute 3 30m`\n`/issue mute 3 24h`\n`/issue mute 3 2d`',
    ],
    [
      { why: 'extra', typed: 'not', verb: 'delete', number: 3 },
      'I do not understand “not” here. Did you mean:\n`/issue delete 3`',
    ],
    [
      { why: 'too_long', what: 'search', max: 200 },
      'Too long: a search can have at most 200 characters. For example:\n`/issue list status:ready_to_fix timeout`',
    ],
  ])('%j is answered with an example', (what, text) => {
    expect(usageIssue('/issue', what).text).toBe(text);
  });

  it('names the command as it was called', () => {
    const called = '/gumshoe issue';
    expect(usageIssue(called, { why: 'nothing' }).text).toContain('`/gumshoe issue list ');
    expect(usageAsk('/dev-ask').text).toContain('`/dev-ask which');
    expect(usageInvestigate('/dev-investigate', '').text).toContain('`/dev-investigate checkout');
  });

  it('gives back every word of what would be lost, however long', () => {
    const typed = Array.from({ length: 700 }, (_, i) => `word${i}`).join(' ');
    for (const message of [
      unknownSeverity('/investigate', 'x', typed),
      usageInvestigate('/investigate', typed),
    ]) {
      const shown = JSON.stringify(message.blocks);
      expect(shown).toContain('/investigate word0');
      expect(shown).toContain('word699');
      expect(shown).not.toContain('shortened');
    }
  });
});
