import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Icinga 2, by its notification scripts for Slack. */
export const icinga: Format = { name: 'icinga', tool: 'Icinga', extract };
