import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Azure Monitor through a logic app: Azure posts nothing itself, each shop has a template of this shape. */
export const azure: Format = { name: 'azure', tool: 'Azure Monitor', extract };
