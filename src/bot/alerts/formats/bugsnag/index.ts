import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Bugsnag's errors, by the two layouts of its own plugin for Slack; spikes, too, and comments, which are no alerts. */
export const bugsnag: Format = { name: 'bugsnag', tool: 'Bugsnag', extract };
