import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { TrackerError } from '../tickets/tracker.ts';
import { MAX_PAGE } from './page.ts';
import { firstPages, isPage, type Source } from './source.ts';

const MAX_DEPTH = 6;
/** Files and folders that are looked at: far more than a folder of runbooks has. */
const MAX_ENTRIES = 10_000;
/** UTF-8 needs at most as many for a page. */
const MAX_BYTES = 4 * MAX_PAGE;
/** Where Kubernetes keeps the files of a mounted ConfigMap: they are links into it. */
const CONFIG_MAP = '..data';

/** A page's file: where it is named, and where it is. */
interface File {
  path: string;
  real: string;
  size: number;
}

/**
 * A folder of Markdown files, also one that Kubernetes mounts of a ConfigMap. Links are followed within the folder, and
 * what several names lead to is one page.
 */
export function folderSource(folder: string): Source {
  return {
    name: folder,
    read: async () => {
      const { files, isCut } = await filesIn(folder);
      const { pages, problems } = firstPages(files);
      const texts = await Promise.all(
        pages.map(async ({ path, real, size }) => {
          if (size > MAX_BYTES) return `${path}: the file is larger than ${MAX_BYTES} bytes`;
          try {
            return { path, url: null, text: await readFile(real, 'utf8') };
          } catch (error) {
            return `${path}: the file cannot be read (${codeOf(error)})`;
          }
        }),
      );
      return {
        pages: texts.filter((one) => typeof one !== 'string'),
        problems: [
          ...(isCut
            ? [`the folder has more than ${MAX_ENTRIES} files and folders: the others are not read`]
            : []),
          ...problems,
          ...texts.filter((one) => typeof one === 'string'),
        ],
      };
    },
  };
}

/** Folder by folder, the ones at the top first, so that a page goes by its shortest name. */
async function filesIn(folder: string): Promise<{ files: File[]; isCut: boolean }> {
  const root = await realpath(folder).catch((error: unknown) => unreadable(folder, error));
  const mounted = await realpath(join(root, CONFIG_MAP)).catch(() => null);
  const isWithin = (real: string) =>
    isBelow(real, root) &&
    (!isHidden(real, root) || (mounted !== null && isBelow(real, mounted) && !isHidden(real, mounted)));
  const files: File[] = [];
  const seen = new Set([root]);
  const folders = [{ real: root, path: '', depth: 0 }];
  let entries = 0;
  for (const { real: place, path: below, depth } of folders) {
    const names = await readdir(place).catch((error: unknown) => unreadable(join(folder, below), error));
    for (const name of names.filter((one) => !one.startsWith('.')).sort()) {
      entries += 1;
      if (entries > MAX_ENTRIES) return { files, isCut: true };
      const path = below === '' ? name : `${below}/${name}`;
      const real = await realpath(join(place, name)).catch(() => null);
      if (real === null || seen.has(real) || !isWithin(real)) continue;
      const entry = await stat(real).catch(() => null);
      if (entry?.isDirectory() === true && depth < MAX_DEPTH) folders.push({ real, path, depth: depth + 1 });
      else if (entry?.isFile() === true && isPage(path)) files.push({ path, real, size: entry.size });
      else continue;
      seen.add(real);
    }
  }
  return { files, isCut: false };
}

function unreadable(path: string, error: unknown): never {
  throw new TrackerError(`the folder ${path} cannot be read (${codeOf(error)})`, {
    fix: 'correct RUNBOOKS, or its permissions',
  });
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Whether a part of the path below the folder begins with a dot. */
function isHidden(path: string, folder: string): boolean {
  return relative(folder, path)
    .split(sep)
    .some((part) => part.startsWith('.'));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
