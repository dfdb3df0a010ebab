import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Netdata's agent, by its own notification script. */
export const netdata: Format = { name: 'netdata', tool: 'Netdata', extract };
