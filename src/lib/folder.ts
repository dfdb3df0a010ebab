import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, where missing. Not with `recursive`: below a file system that takes no
 * folders (such as /proc) that goes round for ever.
 *
 * @throws the system's error for the first one that cannot be made.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, mode);
}
