import type { Gallery } from 'local-slack';
import { createImageRenderer } from '../../bot/render/pictures/image-renderer.ts';
import { type Picture, pictureBlock } from '../../bot/render/pictures/picture.ts';
import { systemClock } from '../../lib/clock.ts';
import { answerEntries } from './answers.ts';
import { type GalleryEntry, galleryEntries, newerBlockEntries, renderEntry } from './entries.ts';

const CHARTS = 3;

/** The gallery that the local workspace's page shows, with its pictures; drawn when it is first asked for. */
export function createGallery(): Gallery & { close(): Promise<void> } {
  const imageRenderer = createImageRenderer({
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
    const graph = await imageRenderer.draw({ kind: 'graph', results: one.view.results });
    const picture = graph && keep(graph);
    const metrics = one.artifacts.filter(({ type }) => type === 'metric').slice(0, CHARTS);
    const charts = [];
    for (const artifact of metrics) {
      const { triggeredAt } = one;
      const chart = await imageRenderer.draw({
        kind: 'chart',
        artifact: JSON.stringify(artifact),
        triggeredAt,
      });
      if (chart) charts.push(pictureBlock(keep(chart)));
    }
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
      return picture ? imageRenderer.toPng(picture) : null;
    },
    close: imageRenderer.close,
  };
}
