import type { Format } from '../../format.ts';
import { extractIssue } from './issue.ts';
import { extractMetric } from './metric.ts';
import { extractNote } from './thread-update.ts';

/** Sentry's issue alerts (crons and uptime among them), its metric alerts, and what it says in their threads. */
export const sentry: Format = {
  name: 'sentry',
  tool: 'Sentry',
  extract: (reading) =>
    reading.person ? null : (extractMetric(reading) ?? extractNote(reading) ?? extractIssue(reading)),
};
