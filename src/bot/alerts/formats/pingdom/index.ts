import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Pingdom. No message of its own has been seen: known by its name and its pages only. */
export const pingdom: Format = { name: 'pingdom', tool: 'Pingdom', extract };
