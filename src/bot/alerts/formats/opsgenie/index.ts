import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Opsgenie's alerts. The layout is of general knowledge; the address and `#n: title` are the vendor's. */
export const opsgenie: Format = { name: 'opsgenie', tool: 'Opsgenie', extract };
