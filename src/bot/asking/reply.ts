import type { Conversation } from '../store/conversations.ts';

/** A plain "thanks" is not a question. */
const COURTESIES =
  /^(?:(?:thank(?:s| you)(?: a lot| so much| very much)?|thx|ty|cheers|ok(?:ay)?|great|nice|perfect|got it)[\s,.!]*)+$/iu;
const STOP =
  /^(?:(?:please|pls|ok(?:ay)?|thank(?:s| you))[\s,.!]+)?stop(?:[\s,.!]+(?:it|now|that|please|pls|thank(?:s| you)|stop))*[\s.!]*$/iu;

/**
 * Whether a person's reply in a thread continues its conversation: every
 * reply does, but one that mentions only other people is theirs, and a courtesy is no question. Where somebody has
 * stopped the listening, only a mention continues it.
 *
 * @param text as Slack sends it, with mentions as `<@U…>`.
 */
export function goesOn(conversation: Conversation | null, text: string, botUserId: string): boolean {
  if (conversation === null) return false;
  const mentioned = [...text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/gu)].map((match) => match[1]);
  const forOthers = mentioned.length > 0 || /<!(?:subteam\^|here|channel|everyone)/u.test(text);
  if ((forOthers || !conversation.listening) && !mentioned.includes(botUserId)) return false;
  return isQuestion(questionIn(text, botUserId));
}

/** The words of a question without the mention of the bot. */
export function questionIn(text: string, botUserId: string): string {
  return text
    .replace(/<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/gu, (mention, id: string) => (id === botUserId ? ' ' : mention))
    .replace(/&lt;/gu, '<')
    .replace(/&gt;/gu, '>')
    .replace(/&amp;/gu, '&')
    .trim();
}

/** False for nothing, for a courtesy, and for a bare "stop". */
export function isQuestion(text: string): boolean {
  return text !== '' && !COURTESIES.test(text) && !isStop(text);
}

/**
 * Whether a reply only wants the answer that grows in its thread to end.
 *
 * @param text without the mention of the bot
 */
export function isStop(text: string): boolean {
  return STOP.test(text);
}
