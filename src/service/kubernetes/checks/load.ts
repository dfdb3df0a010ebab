import type { Check } from '../finding.ts';

/** What the metrics that were recorded with a cluster say of its apps and nodes. */
export const LOAD: readonly Check[] = [];
