import { describe, expect, it } from 'vitest';
import { patternNotes, patternsIn } from '../../../../src/bot/settings/patterns/notes.ts';
import { anAlert } from '../../../support/an-alert.ts';
import { matcherHere } from '../../../support/matcher.ts';

const messages = [
  { alert: anAlert({ title: 'CPU is high', service: 'checkout' }), sender: 'Prod alerts' },
  { alert: anAlert({ title: 'Disk is full' }), sender: null },
];

describe('patterns as they are typed', () => {
  it('are one a line, each counted once, without empty lines', () => {
    expect(patternsIn(' checkout \n\n/a b/\r\ncheckout\n')).toEqual(['checkout', '/a b/']);
  });

  it('say how many of the last messages they match: what an alert says, who posted it, and its tool', async () => {
    expect(
      await patternNotes(
        ['cpu', 'prod alerts', 'Alertmanager', '/^disk/', 'nothing'],
        messages,
        matcherHere(),
      ),
    ).toEqual([
      '“cpu” matches 1 of the last 2 messages here.',
      '“prod alerts” matches 1 of the last 2 messages here.',
      '“Alertmanager” matches 2 of the last 2 messages here.',
      '“/^disk/” matches 1 of the last 2 messages here.',
      '“nothing” matches 0 of the last 2 messages here.',
    ]);
  });

  it('say what is wrong with them', async () => {
    expect(await patternNotes(['/a(/', 'cpu'], messages, matcherHere())).toEqual([
      expect.stringMatching(/^⚠️ “\/a\(\/” is not a valid regular expression: /),
      '“cpu” matches 1 of the last 2 messages here.',
    ]);
  });

  it('are tried on one message, where there is one', async () => {
    expect(await patternNotes(['cpu'], messages.slice(0, 1), matcherHere())).toEqual([
      '“cpu” matches 1 of 1 message here.',
    ]);
  });

  it('say so where nothing is on record yet', async () => {
    expect(await patternNotes(['cpu'], [], matcherHere())).toEqual([
      '“cpu” can be used; no messages from this channel are on record yet.',
    ]);
  });

  it('are told of up to ten', async () => {
    const many = Array.from({ length: 12 }, (_, i) => `p${i}`);
    expect((await patternNotes(many, messages, matcherHere())).slice(-2)).toEqual([
      '“p9” matches 0 of the last 2 messages here.',
      '… and 2 more',
    ]);
  });

  it('say that one is off, and that one would be', async () => {
    const matcher = matcherHere(new Set(['slow']));
    expect(await patternNotes(['off', 'slow', 'cpu'], messages, matcher, ['off'])).toEqual([
      expect.stringMatching(/^⚠️ “off” is switched off: it takes too long to match/),
      expect.stringMatching(/^⚠️ “slow” would be switched off/),
      '“cpu” matches 1 of the last 2 messages here.',
    ]);
    expect(matcher.tried).toEqual(['slow', 'cpu']);
  });
});
