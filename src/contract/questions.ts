import { oneLine } from '../lib/text.ts';

/** What agents ask by a tool's name, in the words that the service's agent understands. */
export const questions = {
  topology: (service: string | undefined): string =>
    service === undefined
      ? 'Which services are there, and what depends on what?'
      : `What does ${oneLine(service)} depend on, and what depends on ${oneLine(service)}?`,
  metric: (service: string, metric: string, minutes: number): string =>
    `Show the ${oneLine(metric)} of ${oneLine(service)} in the last ${minutes} minutes`,
  changes: (service: string | undefined, hours: number): string =>
    `What changed${service === undefined ? '' : ` in ${oneLine(service)}`} in the last ${hours} hours?`,
};
