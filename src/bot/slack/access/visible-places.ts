import type { Store } from '../../store/open.ts';

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
