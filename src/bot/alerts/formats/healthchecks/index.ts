import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Healthchecks.io, and the same program on somebody's own server. */
export const healthchecks: Format = { name: 'healthchecks', tool: 'Healthchecks', extract };
