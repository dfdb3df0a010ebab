import type { Format } from '../../format.ts';
import { extractLegacy } from './legacy.ts';
import { extractUnified } from './unified.ts';

/** Grafana's own alerting: unified (8 and later), and the legacy one before it. */
export const grafana: Format = {
  name: 'grafana',
  tool: 'Grafana',
  extract: (content) => (content.person ? null : (extractLegacy(content) ?? extractUnified(content))),
};
