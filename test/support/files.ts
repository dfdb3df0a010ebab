import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the project, with a slash at the end. */
export const projectRoot = new URL('../../', import.meta.url).pathname;

/** The text of a file of the project. */
export function projectFile(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

/** Every file below `root` (relative, sorted) that `wanted` accepts; `node_modules` is left out. */
export function filesBelow(root: string, wanted: (path: string) => boolean): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.replace(/\/$/, '').length + 1))
    .filter((path) => !path.split('/').includes('node_modules') && wanted(path))
    .sort();
}
