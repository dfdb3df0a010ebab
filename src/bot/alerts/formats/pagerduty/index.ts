import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** PagerDuty's incidents, and the lines about them in their threads. */
export const pagerduty: Format = { name: 'pagerduty', tool: 'PagerDuty', extract };
