import { describe, expect, it } from 'vitest';
import { patternNotes, patternsIn } from '../../src/filing/pattern-notes.ts';
import { anAlert } from '../support/an-alert.ts';
import { ownMs } from '../support/own-time.ts';

const messages = [
  { alert: anAlert({ title: 'CPU is high', service: 'checkout' }), sender: 'Prod alerts' },
  { alert: anAlert({ title: 'Disk is full' }), sender: null },
];

describe('patterns as they are typed', () => {
  it('are one a line, each counted once, without empty lines', () => {
    expect(patternsIn(' checkout \n\n/a b/\r\ncheckout\n')).toEqual(['checkout', '/a b/']);
  });

  it('say how many of the last messages they match: what an alert says, who posted it, and its tool', () => {
    expect(patternNotes(['cpu', 'prod alerts', 'Alertmanager', '/^disk/', 'nothing'], messages)).toEqual([
      '“cpu” matches 1 of the last 2 messages here.',
      '“prod alerts” matches 1 of the last 2 messages here.',
      '“Alertmanager” matches 2 of the last 2 messages here.',
      '“/^disk/” matches 1 of the last 2 messages here.',
      '“nothing” matches 0 of the last 2 messages here.',
    ]);
  });

  it('say what is wrong with them', () => {
    expect(patternNotes(['/a(/', 'cpu'], messages)).toEqual([
      expect.stringMatching(/^⚠️ “\/a\(\/” is no regular expression: /),
      '“cpu” matches 1 of the last 2 messages here.',
    ]);
  });

  it('are tried on one message, where there is one', () => {
    expect(patternNotes(['cpu'], messages.slice(0, 1))).toEqual(['“cpu” matches 1 of 1 message here.']);
  });

  it('say so where nothing is on record yet', () => {
    expect(patternNotes(['cpu'], [])).toEqual([
      '“cpu” can be used; no message of this channel is on record yet.',
    ]);
  });

  it('are told of up to ten', () => {
    const many = Array.from({ length: 12 }, (_, i) => `p${i}`);
    expect(patternNotes(many, messages).slice(-2)).toEqual([
      '“p9” matches 0 of the last 2 messages here.',
      '… and 2 more',
    ]);
  });

  it('that would explode elsewhere cost nothing', () => {
    const long = { alert: anAlert({ title: 'a'.repeat(10_000) }), sender: null };
    const began = ownMs();
    expect(patternNotes(['/(a+)+$b/', '/(a|aa)*c/'], [long])).toHaveLength(2);
    expect(ownMs() - began).toBeLessThan(15_000);
  });
});
