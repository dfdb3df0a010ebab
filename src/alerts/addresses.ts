import type { Reading } from './reading.ts';
import { linksOf } from './slack-text.ts';

/** Every address of a message, in the order of reading: where titles lead, then links in the words, then buttons. */
export function addressesOf({ attachments, body, buttons }: Reading): string[] {
  const titles = attachments.map(({ title_link }) => title_link);
  const words = linksOf(body).map(({ url }) => url);
  return [...titles, ...words, ...buttons.map(({ url }) => url)].filter((url) => url !== '');
}

/** A parameter of an address; `null` for none, and for what is no address. */
export function parameterOf(url: string, name: string): string | null {
  return URL.canParse(url) ? new URL(url).searchParams.get(name) : null;
}
