import type { Rendered } from '../../bot/render/rendered.ts';
import { answerEntries } from './answers.ts';
import { galleryEntries, renderEntry } from './entries.ts';
import { galleryViews } from './windows.ts';

/** A message or a view, with its renderer (a path below `src/bot/render`). */
export type GalleryPayload = { renderer: string; name: string } & (
  | { message: Pick<Rendered, 'text' | 'blocks'> }
  | { view: object }
);

const PICTURE = { fileId: 'F0GALLERY01', alt: 'What led to what' };

/** Every message and view of the gallery. Results have a picture. */
export async function galleryPayloads(): Promise<GalleryPayload[]> {
  const results = (await galleryEntries()).flatMap((entry) => {
    const [card, ...parts] = renderEntry({ ...entry, view: { ...entry.view, picture: PICTURE } });
    return [
      ...(card ? messages('issues/card', entry.name, [card]) : []),
      ...messages('results/results', entry.name, parts),
    ];
  });
  const answers = answerEntries().flatMap((entry) => messages('asking/answer', entry.name, entry.messages));
  return [...results, ...answers, ...(await galleryViews())];
}

function messages(renderer: string, name: string, rendered: readonly Rendered[]): GalleryPayload[] {
  return rendered.map(({ text, blocks }, index) => ({
    renderer,
    name: rendered.length === 1 ? name : `${name}, part ${index + 1}`,
    message: { text, blocks },
  }));
}
