import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TrackerError } from '../tickets/tracker.ts';
import { MAX_PAGE } from './page.ts';
import { firstPages, isPage, type Source } from './source.ts';

const MAX_DEPTH = 6;
/** UTF-8 needs at most as many for a page. */
const MAX_BYTES = 4 * MAX_PAGE;

/** A folder of Markdown files, also one that Kubernetes mounts of a ConfigMap: its files are links into a hidden folder. */
export function folderSource(folder: string): Source {
  return {
    name: folder,
    read: async () => {
      const { pages, problems } = firstPages(await filesIn(folder, '', 0));
      const texts = await Promise.all(
        pages.map(async ({ path, size }) => {
          if (size > MAX_BYTES) return `${path}: the file is larger than ${MAX_BYTES} bytes`;
          try {
            return { path, url: null, text: await readFile(join(folder, path), 'utf8') };
          } catch (error) {
            return `${path}: the file cannot be read (${codeOf(error)})`;
          }
        }),
      );
      return {
        pages: texts.filter((one) => typeof one !== 'string'),
        problems: [...problems, ...texts.filter((one) => typeof one === 'string')],
      };
    },
  };
}

async function filesIn(
  folder: string,
  below: string,
  depth: number,
): Promise<{ path: string; size: number }[]> {
  const names = await readdir(join(folder, below)).catch((error: unknown) => {
    throw new TrackerError(`the folder ${join(folder, below)} cannot be read (${codeOf(error)})`, {
      fix: 'correct RUNBOOKS, or its permissions',
    });
  });
  const found = await Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .map(async (name) => {
        const path = below === '' ? name : `${below}/${name}`;
        const entry = await stat(join(folder, path)).catch(() => null);
        if (entry?.isDirectory() === true) return depth < MAX_DEPTH ? filesIn(folder, path, depth + 1) : [];
        return entry?.isFile() === true && isPage(path) ? [{ path, size: entry.size }] : [];
      }),
  );
  return found.flat();
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
