import { describe, expect, it } from 'vitest';
import { goesOn, isQuestion, isStop, questionIn } from '../../../src/bot/asking/reply.ts';
import type { Conversation } from '../../../src/bot/store/conversations.ts';

const BOT = 'UBOT';
const conversation: Conversation = {
  id: 'q1',
  channel: 'C1',
  threadTs: '1.0',
  conversationId: null,
  issueId: null,
  startedBy: 'U1',
  createdAt: 1,
  updatedAt: 1,
  listening: true,
  organization: 'default',
};

describe('a reply in a thread with a conversation', () => {
  it.each([
    ['why did it fill up?'],
    ['<@UBOT> why?'],
    ['<@U2> and <@UBOT|gumshoe>: why?'],
    ['<!here> <@UBOT> why?'],
    ['thanks, but why did it fill up?'],
    ['ok what about web-2'],
    ['stop the deploy of checkout?'],
    ['👀?'],
  ])('%j goes on', (text) => {
    expect(goesOn(conversation, text, BOT)).toBe(true);
  });

  it.each([
    ['<@U2> can you look at this?'],
    ['I think <@W2|ana> knows, <@U3>?'],
    ['<!subteam^S1|@oncall> can you look at this?'],
    ['<!here> who deployed?'],
    ['thanks!'],
    ['Thank you so much.'],
    ['OK'],
    ['Ok, thanks a lot!'],
    ['got it...'],
    ['<@UBOT> thanks'],
    ['<@UBOT>'],
    ['  '],
  ])('%j does not', (text) => {
    expect(goesOn(conversation, text, BOT)).toBe(false);
  });

  it.each([
    ['why did it fill up?', false],
    ['<@U2> why?', false],
    ['<@UBOT> why?', true],
    ['<@UBOT> thanks', false],
  ])('%j after Stop listening goes on: %s', (text, expected) => {
    expect(goesOn({ ...conversation, listening: false }, text, BOT)).toBe(expected);
  });

  it('goes nowhere where there is no conversation', () => {
    expect(goesOn(null, 'why?', BOT)).toBe(false);
  });
});

describe('the question in a message', () => {
  it('is without the mention of the bot, and as it was typed', () => {
    expect(questionIn('<@UBOT|gumshoe> is a &lt; b &amp;&amp; c &gt; d for <@U2>?', BOT)).toBe(
      'is a < b && c > d for <@U2>?',
    );
  });

  it('is not unescaped twice', () => {
    expect(questionIn('what is &amp;lt;', BOT)).toBe('what is &lt;');
  });

  it('is none where nothing is left', () => {
    expect([isQuestion(''), isQuestion('stop'), isQuestion('stop the deploy?')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('a bare "stop"', () => {
  it.each([
    'stop',
    'Stop!',
    'STOP.',
    'please stop',
    'stop it, please',
    'ok, stop',
    'stop stop stop',
    'stop, thanks',
    'thank you, stop now.',
  ])('is %j, which is no question', (text) => {
    expect([isStop(text), isQuestion(text)]).toEqual([true, false]);
  });

  it.each([
    'stop?',
    'stop the deploy',
    'does it stop',
    'please',
    'stopped',
    'nonstop',
    'how do I stop it',
    '',
  ])('is not %j', (text) => {
    expect(isStop(text)).toBe(false);
  });
});
