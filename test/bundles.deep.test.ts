import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PROGRAMS } from './support/child.ts';
import { projectRoot } from './support/files.ts';

/** A file named beside the module that names it, as it is in a bundle. */
const BESIDE = /new URL\(["'`]([^"'`]+)["'`],\s*["'`](file:[^"'`]+)["'`]\)/gu;

it('what a bundled program starts is bundled, too', () => {
  const folder = process.env.PROGRAM_BUNDLES ?? '';
  const code = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const named = code.flatMap((text) =>
    [...text.matchAll(BESIDE)].map(([, path = '', base]) =>
      relative(projectRoot, fileURLToPath(new URL(path, base))),
    ),
  );
  expect(named).not.toEqual([]);
  expect(named.filter((file) => PROGRAMS.includes(file))).toEqual([]);
});
