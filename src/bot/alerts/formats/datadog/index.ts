import { blank } from '../../empty-alert.ts';
import type { Format } from '../../format.ts';
import type { Reading } from '../../message-content.ts';
import { bare, linksOf, plain } from '../../slack-text.ts';
import { extractMonitor } from './monitor.ts';
import { extractPage } from './page.ts';

const HOST = /^https:\/\/(?:[\w-]{1,63}\.){0,6}(?:datadoghq\.(?:com|eu)|ddog-gov\.com)\//u;
const OBJECT = /^https:\/\/[^/]+\/(?:monitors|on-call\/pages)\/\d/u;

/** Datadog's monitors, and the pages of Datadog On-Call. */
export const datadog: Format = {
  name: 'datadog',
  tool: 'Datadog',
  extract(reading) {
    if (reading.person || !isDatadogs(reading)) return null;
    return extractPage(reading) ?? extractMonitor(reading) ?? (isSummary(reading) ? blank('datadog') : null);
  },
};

/** Whether Datadog sent it: by its name, or because its title leads to a monitor or a page there. */
function isDatadogs({ names, attachments, message }: Reading): boolean {
  if (names.some((name) => /^datadog\b/iu.test(name))) return true;
  const titles = attachments.flatMap((one) => [one.title_link, ...linksOf(one.title).map(({ url }) => url)]);
  return [...titles, ...linksOf(message.text).map(({ url }) => url)].some(
    (url) => HOST.test(url) && OBJECT.test(url),
  );
}

/** Hand-overs and summaries of shifts, which speak of pages and are none. */
function isSummary({ body }: Reading): boolean {
  return /\b(?:hand-?(?:over|off)|summary|digest|report|recap|shift|schedule|on-call (?:started|ended|rotation))\b/iu.test(
    bare(plain(body)).slice(0, 400),
  );
}
