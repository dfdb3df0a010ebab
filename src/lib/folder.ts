import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents if they are missing. Not with `recursive`: on a file system that takes no folders (such
 * as /proc) that loops for ever.
 *
 * @throws the system's error for the first one that cannot be created.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, mode);
}
