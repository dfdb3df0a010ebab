import type { Format } from '../../format.ts';
import { extractNotification } from '../../nagios-family.ts';

/** Nagios, by the scripts that send two attachments. */
export const nagios: Format = {
  name: 'nagios',
  tool: 'Nagios',
  extract: (reading) => (reading.person ? null : extractNotification(reading, 'nagios', /^nagios/iu)),
};
