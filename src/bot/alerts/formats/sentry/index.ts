import type { Format } from '../../format.ts';
import { extractIssue } from './issue.ts';
import { extractMetric } from './metric.ts';
import { extractThreadUpdate } from './thread-update.ts';

/** Sentry's issue alerts (crons and uptime among them), its metric alerts, and what it says in their threads. */
export const sentry: Format = {
  name: 'sentry',
  tool: 'Sentry',
  extract: (content) =>
    content.person ? null : (extractMetric(content) ?? extractThreadUpdate(content) ?? extractIssue(content)),
};
