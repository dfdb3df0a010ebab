import type { Gallery } from 'local-slack';
import { causalGraphSvg } from '../../bot/render/pictures/causal-graph.ts';
import { chartSvg } from '../../bot/render/pictures/chart.ts';
import type { Picture } from '../../bot/render/pictures/picture.ts';
import { createStudio } from '../../bot/render/pictures/studio.ts';
import { pictureBlock } from '../../bot/render/results/picture.ts';
import { systemClock } from '../../lib/clock.ts';
import { answerEntries } from './answers.ts';
import { type GalleryEntry, galleryEntries, renderEntry } from './entries.ts';
import { newerBlockEntries } from './newer-blocks.ts';

const CHARTS = 3;

/** The gallery that the local workspace's page shows, with its pictures; drawn when it is first asked for. */
export function createGallery(): Gallery & { close(): Promise<void> } {
  const studio = createStudio({
    clock: systemClock,
    onProblem: ({ message }) => console.warn(`A picture of the gallery could not be drawn: ${message}`),
  });
  const pictures = new Map<string, Picture>();
  let made: ReturnType<Gallery['entries']> | undefined;

  const keep = (picture: Picture) => {
    const fileId = `FGALLERY${pictures.size + 1}`;
    pictures.set(fileId, picture);
    return { fileId, alt: picture.alt };
  };
  const entry = async (one: GalleryEntry) => {
    const graph = await causalGraphSvg(one.view.results, studio.layout);
    const picture = graph && keep(graph);
    const charts = one.artifacts
      .filter(({ type }) => type === 'metric')
      .flatMap((artifact) => chartSvg(artifact, { triggeredAt: one.triggeredAt }) ?? [])
      .slice(0, CHARTS)
      .map((chart) => pictureBlock(keep(chart)));
    const messages = renderEntry({ ...one, view: { ...one.view, picture } });
    const evidence = charts.length === 0 ? [] : [{ text: 'Metrics', blocks: charts }];
    return { name: one.name, messages: [...messages, ...evidence] };
  };
  const make = async () => {
    const entries = [];
    const all = await galleryEntries();
    for (const one of all) entries.push(await entry(one));
    return [...entries, ...all.slice(0, 1).flatMap(newerBlockEntries), ...answerEntries()];
  };
  return {
    entries: () => {
      made ??= make();
      return made;
    },
    picture: async (id) => {
      const picture = pictures.get(id);
      return picture ? studio.toPng(picture) : null;
    },
    close: studio.close,
  };
}
