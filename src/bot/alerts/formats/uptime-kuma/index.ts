import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Uptime Kuma, in its rich and its plain form. */
export const uptimeKuma: Format = { name: 'uptime-kuma', tool: 'Uptime Kuma', extract };
