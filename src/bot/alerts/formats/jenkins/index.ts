import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Jenkins, by its Slack plugin. */
export const jenkins: Format = { name: 'jenkins', tool: 'Jenkins', extract };
