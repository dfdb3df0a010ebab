import { blocksText, type MessageContent } from './message-content.ts';
import { linksOf, withoutMarkup } from './slack-text.ts';

/** Every URL of a message, in this order: links of titles, links in the text, buttons. */
export function urlsOf({ attachments, body, buttons }: MessageContent): string[] {
  const titles = attachments.map(({ title_link }) => title_link);
  const words = linksOf(body).map(({ url }) => url);
  return [...titles, ...words, ...buttons.map(({ url }) => url)].filter((url) => url !== '');
}

/** Whether the sender's name matches. */
export function isSentBy({ names }: MessageContent, sender: RegExp): boolean {
  return names.some((name) => sender.test(name.trim()));
}

/**
 * The tool's page that a message is about. If the tool itself sent the message, its link may be anywhere; otherwise only
 * a title or the start of a first line counts, because other senders link to such pages too.
 */
export function alertPageUrl(content: MessageContent, page: RegExp, sender: RegExp): string | null {
  const places = isSentBy(content, sender) ? urlsOf(content) : headAddresses(content);
  return places.find((url) => page.test(url)) ?? null;
}

function headAddresses({ message, attachments }: MessageContent): string[] {
  const texts = [message.text, blocksText(message.blocks), ...attachments.map(({ text }) => text)];
  const lines = [...texts, ...attachments.map(({ blocks }) => blocksText(blocks))].map(
    (text) => text.trimStart().split('\n', 1)[0] ?? '',
  );
  const begins = lines.filter((line) => withoutMarkup(line.split('<http', 1)[0] ?? '').split(' ').length < 3);
  return [
    ...attachments.map(({ title_link }) => title_link),
    ...begins.flatMap((line) => linksOf(line).map(({ url }) => url)),
  ];
}

/** A query parameter of a URL; `null` if it is missing or the URL is not valid. */
export function queryParameter(url: string, name: string): string | null {
  return URL.canParse(url) ? new URL(url).searchParams.get(name) : null;
}
