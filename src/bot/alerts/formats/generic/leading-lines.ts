import { blocksText, type MessageContent } from '../../message-content.ts';
import { plainText, truncateMrkdwn } from '../../slack-text.ts';

const MAX_HEADS = 40;
const MAX_HEAD = 500;

/** The lines where tools say what happened, in mrkdwn: the first of the text, the blocks and each attachment. */
export function leadingLines({ message, attachments }: MessageContent): string[] {
  const parts = [
    ...first(message.text, 3),
    ...first(blocksText(message.blocks), 5),
    ...attachments.flatMap((part) => {
      const untitled = part.fields.filter(({ title }) => title === '').map(({ value }) => value);
      const loud = part.fields.filter(({ value }) => value === '').map(({ title }) => title);
      const words = [
        part.pretext,
        part.title,
        ...loud,
        ...untitled,
        ...first(part.text, 3),
        ...first(blocksText(part.blocks), 3),
      ];
      return words.some((word) => word.trim() !== '') || part.fallback.startsWith('[no preview')
        ? words
        : [part.fallback];
    }),
  ];
  return parts
    .filter((line) => plainText(line).trim() !== '')
    .map((line) => truncateMrkdwn(line, MAX_HEAD))
    .slice(0, MAX_HEADS);
}

function first(text: string, count: number): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, count);
}
