import { type Answer, known, type Series } from '../model.ts';
import { linkTo } from './links.ts';
import { byInstance } from './promql.ts';
import type { Surveyed, SurveyOptions } from './survey.ts';

/** The instances of some services, each with its own series; none for signals of edges and machines. */
export async function instancesOf(
  { recognition, naming }: Surveyed,
  signals: readonly string[],
  services: readonly string[] | null,
  { client, window, stepMs, budget, grafanaUrl }: SurveyOptions,
): Promise<Answer<Series[]>> {
  const wanted = recognition.offers.filter(
    ({ signal, edge }) => signals.includes(signal.id) && edge === undefined && !signal.shared,
  );
  const caveats = new Set<string>();
  const found = await Promise.all(
    wanted.map(async (offer) => {
      const query = byInstance(offer, recognition.rate);
      const answer = await client.queryRange(query, window, stepMs, budget);
      if (!answer.known) {
        caveats.add(answer.reason);
        return [];
      }
      const providerUrl = linkTo(query, { base: client.base, grafanaUrl, window });
      return answer.value.flatMap(({ labels, points }): Series[] => {
        const service = naming.service(labels, offer.place);
        const instance = labels.pod ?? labels.instance ?? null;
        if (service === null || instance === null || services?.includes(service) === false) return [];
        return [
          {
            signal: offer.signal,
            service,
            instance,
            edge: null,
            labels,
            points,
            limit: null,
            query,
            providerUrl,
            provider: 'prometheus',
          },
        ];
      });
    }),
  );
  return known(found.flat(), [...caveats]);
}
