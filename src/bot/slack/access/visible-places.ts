import type { MaySee } from '../../asking/request.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import type { Home } from '../listening/tabs.ts';

/**
 * The channels whose open issues somebody may see. A direct message is between the bot and one person, so its issues
 * belong to whoever requested them.
 */
export async function visiblePlaces(
  userId: string,
  maySee: (channel: string) => Promise<boolean>,
  store: Store,
): Promise<string[]> {
  const places = await store.overview.places();
  const seen = await Promise.all(
    places.map(({ channel, requestedBy }) =>
      channel.startsWith('D') ? requestedBy === userId : maySee(channel),
    ),
  );
  return places.flatMap(({ channel }, index) => (seen[index] === true ? [channel] : []));
}

/**
 * What was said in a channel may be seen if it is public, or is read in that channel; and by one person alone if they
 * are a member, which Slack is asked, as for their Home.
 */
export function createMaySee(store: Pick<Aggregates, 'channels'>, home: Pick<Home, 'maySee'>): MaySee {
  return async ({ channel, person }, from) =>
    (await mayBeShownIn(store, from, channel)) || (person !== null && (await home.maySee(person, from)));
}
