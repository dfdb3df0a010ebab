import { isRegion, regionIn } from '../details.ts';
import { statedValue } from '../facts.ts';
import { alertFromAlarm } from '../families.ts';
import type { Format } from '../format.ts';
import { attachmentDetails, type MessageContent, urlsOf } from '../message.ts';
import { plainText, toDescription, toTitle, withoutMarkup } from '../slack-text.ts';
import { emojiState, slackColorOf } from '../state.ts';
import { type Alert, emptyAlert } from '../types.ts';

const APP = 'A6L22LZNH';
const HEADING = /\bCloudWatch Alarm \| ([^\n]{1,600})/u;
const STATE = /^(ALARM|OK|INSUFFICIENT_DATA)$/u;

/** Amazon Q Developer in chat applications, which was AWS Chatbot. */
export const amazonq: Format = { name: 'amazonq', tool: 'Amazon Q', extract };

/** `CloudWatch Alarm | name | region | Account: n`. The app also chats: what it says without a card is no alert. */
function extract(content: MessageContent): Alert | null {
  const { message, attachments, body } = content;
  if (message.app_id !== APP && message.bot_profile?.app_id !== APP) return null;
  const heads = [...attachments.map(({ title }) => title), message.text, ...body.split('\n')].map((line) =>
    withoutMarkup(plainText(line)),
  );
  const parts = heads
    .map((head) => HEADING.exec(head)?.[1])
    .find((rest) => rest !== undefined)
    ?.split('|')
    .map((part) => part.trim());
  if (parts === undefined)
    return attachments.some(({ title }) => title !== '') ? null : emptyAlert('amazonq');

  const name = parts.find((part) => !STATE.test(part) && !isRegion(part)) ?? '';
  const alertUrl = urlsOf(content).find((url) => /\/cloudwatch\//u.test(url)) ?? null;
  const text = attachments.map((part) => part.text).find((words) => words !== '') ?? '';
  const alarm = alertFromAlarm('amazonq', {
    name,
    state: stateOf(content, parts),
    account: parts.map((part) => /^Account: ?(\d{12})$/u.exec(part)?.[1]).find(Boolean) ?? null,
    region: parts.find(isRegion) ?? regionIn(alertUrl ?? ''),
    reason: plainText(text).trim() || null,
    alertUrl,
  });
  return {
    ...alarm,
    description: toDescription(attachments.map(attachmentDetails).join('\n'), toTitle(name)),
  };
}

function stateOf({ facts, attachments, message }: MessageContent, parts: readonly string[]): string {
  const stated =
    statedValue(facts, 'state', 'current state', 'new state') ?? parts.find((part) => STATE.test(part));
  const word = STATE.exec(stated ?? '')?.[1];
  if (word !== undefined) return word;
  const moods = attachments.map(({ color }) => slackColorOf(color));
  const emoji = emojiState(message.text);
  if (moods.includes('danger') || (moods.length === 0 && emoji === 'firing')) return 'ALARM';
  return moods.includes('good') || emoji === 'resolved' ? 'OK' : 'INSUFFICIENT_DATA';
}
