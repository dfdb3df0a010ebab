import { extractCheckNotification } from '../families.ts';
import type { Format } from '../format.ts';

/** Nagios, by the scripts that send two attachments. */
export const nagios: Format = {
  name: 'nagios',
  tool: 'Nagios',
  extract: (content) => (content.person ? null : extractCheckNotification(content, 'nagios', /^nagios/iu)),
};
