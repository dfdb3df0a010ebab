import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Dynatrace's problems, in an operator's own words around the state and the problem's link. */
export const dynatrace: Format = { name: 'dynatrace', tool: 'Dynatrace', extract };
