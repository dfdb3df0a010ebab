import { blank } from '../../blank.ts';
import type { Format } from '../../format.ts';
import { extractMonitor } from './monitor.ts';
import { extractPage } from './page.ts';
import { isDatadogs, isSummary } from './sender.ts';

/** Datadog's monitors, and the pages of Datadog On-Call. */
export const datadog: Format = {
  name: 'datadog',
  tool: 'Datadog',
  extract(reading) {
    if (reading.person || !isDatadogs(reading)) return null;
    return extractPage(reading) ?? extractMonitor(reading) ?? (isSummary(reading) ? blank('datadog') : null);
  },
};
