import { blocksText, type Reading } from './message-content.ts';
import { bare, linksOf } from './slack-text.ts';

/** Every address of a message, in the order of reading: where titles lead, then links in the words, then buttons. */
export function addressesOf({ attachments, body, buttons }: Reading): string[] {
  const titles = attachments.map(({ title_link }) => title_link);
  const words = linksOf(body).map(({ url }) => url);
  return [...titles, ...words, ...buttons.map(({ url }) => url)].filter((url) => url !== '');
}

/** Whether a tool sent the message, by what the sender calls itself. */
export function isSentBy({ names }: Reading, sender: RegExp): boolean {
  return names.some((name) => sender.test(name.trim()));
}

/**
 * A tool's own page that a message is about. Where the tool itself sent it, the page may stand anywhere; else only
 * a title or the beginning of a first line counts, since others mention such pages as well.
 */
export function pageAbout(reading: Reading, page: RegExp, sender: RegExp): string | null {
  const places = isSentBy(reading, sender) ? addressesOf(reading) : headAddresses(reading);
  return places.find((url) => page.test(url)) ?? null;
}

function headAddresses({ message, attachments }: Reading): string[] {
  const texts = [message.text, blocksText(message.blocks), ...attachments.map(({ text }) => text)];
  const lines = [...texts, ...attachments.map(({ blocks }) => blocksText(blocks))].map(
    (text) => text.trimStart().split('\n', 1)[0] ?? '',
  );
  const begins = lines.filter((line) => bare(line.split('<http', 1)[0] ?? '').split(' ').length < 3);
  return [
    ...attachments.map(({ title_link }) => title_link),
    ...begins.flatMap((line) => linksOf(line).map(({ url }) => url)),
  ];
}

/** A parameter of an address; `null` for none, and for what is no address. */
export function parameterOf(url: string, name: string): string | null {
  return URL.canParse(url) ? new URL(url).searchParams.get(name) : null;
}
