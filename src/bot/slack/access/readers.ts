import type { MaySee } from '../../asking/readers.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import type { Aggregates } from '../../store/open.ts';
import type { Home } from '../listening/tabs.ts';

/**
 * What was said in a channel may be seen if it is public, or is read in that channel; and by one person alone if they
 * are a member, which Slack is asked, as for their Home.
 */
export function createMaySee(store: Pick<Aggregates, 'channels'>, home: Pick<Home, 'maySee'>): MaySee {
  return async ({ channel, person }, from) =>
    (await mayBeShownIn(store, from, channel)) || (person !== null && (await home.maySee(person, from)));
}
