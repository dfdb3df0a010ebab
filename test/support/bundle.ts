import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { KILLABLE } from './child.ts';
import { projectRoot } from './files.ts';

/** Next to the packages, since what stays outside the bundle is looked for from there. */
const FOLDER = join(projectRoot, 'node_modules', '.cache', 'gumshoe');
/** They load native code or files of their own, or are loaded only if they are configured. */
const OUTSIDE = ['better-sqlite3', '@resvg/resvg-js', 'elkjs', 'pino', /^@opentelemetry\//u];

/**
 * Bundles the program that the flows kill and start a few hundred times, once a run: to load its two thousand modules one by
 * one is most of what such a start costs. The tests of the start itself run the program as it is.
 */
export default async function setup(): Promise<() => void> {
  // Two projects want it.
  if (process.env.KILLABLE_BUNDLE !== undefined) return () => undefined;
  const name = `killable-${process.pid}.mjs`;
  await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    plugins: [
      {
        name: 'modules-find-their-own-files',
        transform: (code, id) =>
          code.includes('import.meta.url')
            ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
            : null,
      },
    ],
    ssr: { noExternal: true, external: OUTSIDE.filter((one) => typeof one === 'string') },
    build: {
      ssr: KILLABLE,
      outDir: FOLDER,
      emptyOutDir: false,
      target: 'esnext',
      rolldownOptions: {
        external: OUTSIDE,
        output: { entryFileNames: name, codeSplitting: false },
      },
    },
  });
  const file = join(FOLDER, name);
  process.env.KILLABLE_BUNDLE = file;
  return () => rmSync(file, { force: true });
}
