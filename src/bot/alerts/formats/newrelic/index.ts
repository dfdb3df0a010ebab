import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** New Relic's issues. The layout is of general knowledge; the address and the states are the vendor's. */
export const newrelic: Format = { name: 'newrelic', tool: 'New Relic', extract };
