import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Package = z.looseObject({ version: z.string() });

/** The program's version, from `package.json`. */
export function programVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return Package.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
