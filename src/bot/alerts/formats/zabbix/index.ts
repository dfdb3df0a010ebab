import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Zabbix, by its own media type for Slack. */
export const zabbix: Format = { name: 'zabbix', tool: 'Zabbix', extract };
