import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Prometheus Alertmanager, with its default template or an operator's own. */
export const alertmanager: Format = { name: 'alertmanager', tool: 'Alertmanager', extract };
