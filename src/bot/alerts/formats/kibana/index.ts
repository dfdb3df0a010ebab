import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Kibana's rules, with their default message. */
export const kibana: Format = { name: 'kibana', tool: 'Kibana', extract };
