import type { Gallery } from 'local-slack';
import { answerEntries } from './answers.ts';
import { galleryEntries, newerBlockEntries, renderEntry } from './entries.ts';

/** The gallery that the local workspace's page shows. */
export function createGallery(): Gallery {
  let made: ReturnType<Gallery['entries']> | undefined;
  const make = async () => {
    const all = await galleryEntries();
    return [
      ...all.map((one) => ({ name: one.name, messages: renderEntry(one) })),
      ...all.slice(0, 1).flatMap(newerBlockEntries),
      ...answerEntries(),
    ];
  };
  return {
    entries: () => {
      made ??= make();
      return made;
    },
  };
}
