import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** UptimeRobot's one line of text. */
export const uptimerobot: Format = { name: 'uptimerobot', tool: 'UptimeRobot', extract };
