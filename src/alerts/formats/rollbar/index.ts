import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Rollbar's notices of deploys, which are no alerts. What else it posts is nowhere recorded. */
export const rollbar: Format = { name: 'rollbar', tool: 'Rollbar', extract };
