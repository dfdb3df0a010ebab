import type { Format } from '../../format.ts';
import { extractNotification } from '../../nagios-family.ts';

/** Checkmk's own Slack notification. */
export const checkmk: Format = {
  name: 'checkmk',
  tool: 'Checkmk',
  extract: (reading) => (reading.person ? null : extractNotification(reading, 'checkmk', /^check_?mk/iu)),
};
