import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Google Cloud Monitoring's incidents. The layout is of general knowledge; the address is the vendor's. */
export const gcp: Format = { name: 'gcp', tool: 'Google Cloud', extract };
