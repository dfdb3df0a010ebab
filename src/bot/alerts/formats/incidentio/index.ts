import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** incident.io's alerts, which come from other tools. */
export const incidentio: Format = { name: 'incidentio', tool: 'incident.io', extract };
