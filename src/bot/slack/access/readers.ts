import type { MaySee } from '../../asking/readers.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import type { Aggregates } from '../../store/open.ts';
import type { Home } from '../features/home/types.ts';

/**
 * What a channel said is for its readers where it is public, or they read it there; and for a person alone where they
 * are in it, which Slack is asked, as for their Home.
 */
export function createMaySee(store: Pick<Aggregates, 'channels'>, home: Pick<Home, 'maySee'>): MaySee {
  return async ({ channel, person }, from) =>
    (await mayBeShownIn(store, from, channel)) || (person !== null && (await home.maySee(person, from)));
}
