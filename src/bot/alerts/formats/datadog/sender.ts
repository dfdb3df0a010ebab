import type { Reading } from '../../reading.ts';
import { bare, linksOf, plain } from '../../slack-text.ts';

const HOST = /^https:\/\/(?:[\w-]{1,63}\.){0,6}(?:datadoghq\.(?:com|eu)|ddog-gov\.com)\//u;
const OBJECT = /^https:\/\/[^/]+\/(?:monitors|on-call\/pages)\/\d/u;

/** Whether Datadog sent it: by its name, or because its title leads to a monitor or a page there. */
export function isDatadogs({ names, attachments, message }: Reading): boolean {
  if (names.some((name) => /^datadog\b/iu.test(name))) return true;
  const titles = attachments.flatMap((one) => [one.title_link, ...linksOf(one.title).map(({ url }) => url)]);
  return [...titles, ...linksOf(message.text).map(({ url }) => url)].some(
    (url) => HOST.test(url) && OBJECT.test(url),
  );
}

/** Hand-overs and summaries of shifts, which speak of pages and are none. */
export function isSummary({ body }: Reading): boolean {
  return /\b(?:hand-?(?:over|off)|summary|digest|report|recap|shift|schedule|on-call (?:started|ended|rotation))\b/iu.test(
    bare(plain(body)).slice(0, 400),
  );
}
