import { causalGraphSvg } from '../../render/pictures/causal-graph.ts';
import type { Picture } from '../../render/pictures/picture.ts';
import type { Studio } from '../../render/pictures/studio.ts';
import { InvestigationResults } from '../../service/schema/results.ts';
import type { Store } from '../../store/open.ts';
import type { What } from './want.ts';

type Drawing<K> = (
  what: Extract<What, { picture: K }>,
  from: { store: Store; studio: Studio },
) => Promise<Picture | null>;

const drawings: { [K in What['picture']]: Drawing<K> } = {
  graph: async ({ issue, version }, { store, studio }) => {
    const body = await store.results.get(issue, version);
    if (body === null) return null;
    return causalGraphSvg(InvestigationResults.parse(JSON.parse(body)), studio.layout);
  },
};

/** A picture as a PNG with its words; `null` where there is nothing to be seen, or it cannot be drawn. */
export async function draw(
  what: What,
  from: { store: Store; studio: Studio },
): Promise<{ bytes: Uint8Array; alt: string } | null> {
  const picture = await drawings[what.picture](what, from);
  const bytes = picture && (await from.studio.toPng(picture));
  return picture && bytes ? { bytes, alt: picture.alt } : null;
}
