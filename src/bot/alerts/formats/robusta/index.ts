import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Robusta, where it passes on an alert of Prometheus'. */
export const robusta: Format = { name: 'robusta', tool: 'Robusta', extract };
