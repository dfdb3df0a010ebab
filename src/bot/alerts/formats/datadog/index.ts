import { emptyAlert } from '../../empty-alert.ts';
import type { Format } from '../../format.ts';
import type { MessageContent } from '../../message-content.ts';
import { linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import { extractMonitor } from './monitor.ts';
import { extractPage } from './page.ts';

const HOST = /^https:\/\/(?:[\w-]{1,63}\.){0,6}(?:datadoghq\.(?:com|eu)|ddog-gov\.com)\//u;
const OBJECT = /^https:\/\/[^/]+\/(?:monitors|on-call\/pages)\/\d/u;

/** Datadog's monitors, and the pages of Datadog On-Call. */
export const datadog: Format = {
  name: 'datadog',
  tool: 'Datadog',
  extract(content) {
    if (content.person || !isFromDatadog(content)) return null;
    return (
      extractPage(content) ??
      extractMonitor(content) ??
      (isShiftSummary(content) ? emptyAlert('datadog') : null)
    );
  },
};

/** Whether Datadog sent it: by its name, or because a title links to a monitor or a page there. */
function isFromDatadog({ names, attachments, message }: MessageContent): boolean {
  if (names.some((name) => /^datadog\b/iu.test(name))) return true;
  const titles = attachments.flatMap((one) => [one.title_link, ...linksOf(one.title).map(({ url }) => url)]);
  return [...titles, ...linksOf(message.text).map(({ url }) => url)].some(
    (url) => HOST.test(url) && OBJECT.test(url),
  );
}

/** Shift handovers and summaries, which mention pages but are not alerts. */
function isShiftSummary({ body }: MessageContent): boolean {
  return /\b(?:hand-?(?:over|off)|summary|digest|report|recap|shift|schedule|on-call (?:started|ended|rotation))\b/iu.test(
    withoutMarkup(plainText(body)).slice(0, 400),
  );
}
