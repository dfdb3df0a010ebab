import { type Clock, systemClock } from '../../lib/clock.ts';
import type { TicketSettings } from '../config.ts';
import { github } from './github.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import type { Fetch, Tracker } from './tracker.ts';

/** As it is when it is called: a proxy replaces it. */
const fetchNow: Fetch = (...request) => globalThis.fetch(...request);

/** The tracker that is configured. */
export function createTracker(
  settings: TicketSettings,
  fetch: Fetch = fetchNow,
  clock: Pick<Clock, 'now'> = systemClock,
): Tracker {
  switch (settings.tracker) {
    case 'github':
      return github(settings, fetch, clock);
    case 'jira':
      return jira(settings, fetch, clock);
    case 'linear':
      return linear(settings, fetch, clock);
  }
}
