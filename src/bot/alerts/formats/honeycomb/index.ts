import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Honeycomb's triggers and burn alerts. The layout is of general knowledge; the address is the vendor's. */
export const honeycomb: Format = { name: 'honeycomb', tool: 'Honeycomb', extract };
