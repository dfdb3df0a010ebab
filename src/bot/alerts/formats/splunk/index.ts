import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Splunk's alerts through its Slack alert action. It never posts a recovery. */
export const splunk: Format = { name: 'splunk', tool: 'Splunk', extract };
