import { rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { bundleName, PROGRAMS } from './child.ts';
import { projectRoot } from './files.ts';
import { runsAny } from './files-to-run.ts';

/** Next to the packages, since what stays outside the bundles is looked for from there. */
const FOLDER = join(projectRoot, 'node_modules', '.cache', 'gumshoe');
/** They load native code or files of their own, or are loaded only if they are configured. */
const OUTSIDE = ['better-sqlite3', 'pino', 'vite', /^@opentelemetry\//u];
/** How the programs name the files that they start themselves. */
const BESIDE = /new URL\('([^']+\.ts)', import\.meta\.url\)/gu;
/** The tests that start programs often; the others start them as they are. */
const STARTING = /^test\/(?:flows|browser)\/|\.deep\.test/u;

/**
 * Bundles the programs that tests start some hundred times, once a run: to load their two thousand modules one by one is
 * most of what a start costs. Where a start itself is tested, the program runs as it is: `npm start` in
 * `test/flows/child.deep.test.ts`, what the image and the chart run in `test/docker.long.test.ts` and `test/deploy`.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  // Both projects want them.
  if (process.env.PROGRAM_BUNDLES !== undefined || !runsAny(project, STARTING)) return () => undefined;
  const folder = join(FOLDER, `programs-${process.pid}`);
  await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    plugins: [
      {
        name: 'modules-find-their-own-files',
        // Before Vite rewrites the quotes of what it looks for.
        enforce: 'pre',
        transform: (code, id) =>
          code.includes('import.meta.') ? located(code, pathToFileURL(id), folder) : null,
      },
    ],
    ssr: { noExternal: true, external: OUTSIDE.filter((one) => typeof one === 'string') },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'esnext',
      rolldownOptions: {
        input: Object.fromEntries(
          PROGRAMS.map((program) => [bundleName(program), join(projectRoot, program)]),
        ),
        external: OUTSIDE,
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  process.env.PROGRAM_BUNDLES = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The module at `url` with what it knows of its own place; what it starts is started from the bundles, too. */
function located(code: string, url: URL, folder: string): string {
  const bundle = bundled(folder, url);
  const isMain = bundle === null ? 'false' : `(process.argv[1] === ${JSON.stringify(fileURLToPath(bundle))})`;
  return code
    .replaceAll(BESIDE, (whole, path: string) => {
      const started = bundled(folder, new URL(path, url));
      return started === null ? whole : `new URL(${JSON.stringify(started.href)})`;
    })
    .replaceAll('import.meta.url', JSON.stringify(url.href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(fileURLToPath(url))))
    .replaceAll('import.meta.main', isMain);
}

/** Where the bundle of a file is, if it has one. */
function bundled(folder: string, url: URL): URL | null {
  const program = PROGRAMS.find((one) => one === relative(projectRoot, fileURLToPath(url)));
  return program === undefined ? null : pathToFileURL(join(folder, `${bundleName(program)}.mjs`));
}
