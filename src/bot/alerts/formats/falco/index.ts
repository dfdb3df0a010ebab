import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Falco, by way of Falcosidekick. */
export const falco: Format = { name: 'falco', tool: 'Falco', extract };
