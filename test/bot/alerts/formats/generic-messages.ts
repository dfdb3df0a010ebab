import type { Alert } from '../../../../src/bot/alerts/types.ts';
import { toolMessage } from '../fixtures.ts';

/** One alert of an invented tool: it fires, fires again with other readings, ends; and another alert of that tool. */
export interface Told {
  tool: string;
  firing: Message;
  repeat: Message;
  resolved: Message;
  other: Message;
  /** What the firing message states. */
  says?: Partial<Alert>;
}
type Message = Record<string, unknown>;

/** A tool's alert from the words that differ: of the firing, the repeat, the end, and the other alert. */
export function told<T extends readonly unknown[]>(
  tool: string,
  message: (...words: T) => Message,
  [firing, repeat, resolved, other]: readonly [T, T, T, T],
  says: Partial<Alert> = {},
): Told {
  return {
    tool,
    firing: message(...firing),
    repeat: message(...repeat),
    resolved: message(...resolved),
    other: message(...other),
    says,
  };
}

/** The same where each message is one text. */
export function lines(
  tool: string,
  texts: readonly [string, string, string, string],
  says: Partial<Alert> = {},
): Told {
  const [firing, repeat, resolved, other] = texts;
  return told(tool, said, [[firing], [repeat], [resolved], [other]], says);
}

export const said = (text: string): Message => toolMessage({ text });
export const card = (...attachments: Record<string, unknown>[]): Message =>
  toolMessage({ text: '', attachments });
export const blocks = (...parts: Record<string, unknown>[]): Message =>
  toolMessage({ text: '', blocks: parts });
const field = (title: string, value: string | number) => ({ title, value, short: true });
export const fieldsOf = (pairs: Record<string, string | number>) =>
  Object.entries(pairs).map(([title, value]) => field(title, value));
export const header = (text: string) => ({ type: 'header', text: { type: 'plain_text', text } });
export const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
export const sectionFields = (...texts: string[]) => ({
  type: 'section',
  fields: texts.map((text) => ({ type: 'mrkdwn', text })),
});
export const context = (text: string) => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] });
export const button = (text: string, url: string) => ({
  type: 'actions',
  elements: [{ type: 'button', text: { type: 'plain_text', text }, url }],
});
