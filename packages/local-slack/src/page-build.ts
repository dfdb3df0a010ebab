import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const PAGE = fileURLToPath(new URL('../page/', import.meta.url));
/** The package's own folder. */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** The folder that npm installed the packages of the page into. */
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('react/package.json')));
const BESIDE = [
  ...['page-api.ts', 'page-emoji.ts', 'page-panel.ts', 'page-requests.ts'].map((name) =>
    fileURLToPath(new URL(`./${name}`, import.meta.url)),
  ),
  fileURLToPath(new URL('./page-build-worker.ts', import.meta.url)),
  join(PACKAGES, '.package-lock.json'),
];

const CACHES = [join(PACKAGES, '.cache/local-slack'), join(tmpdir(), 'local-slack')];

/** The page could not be built; `cause` is the bundler's error. */
class PageBuildError extends Error {
  override name = 'PageBuildError';
}

/**
 * The folder with the built page (`index.html` and what it loads), for a server to serve from `/`.
 * Built when the sources have changed since the last time, which takes some seconds; else found in
 * `node_modules/.cache/local-slack`, or in the system's folder for temporary files if that is not writable.
 *
 * @param caches the folders to keep it in, the preferred first
 * @throws PageBuildError when the bundler refuses the sources, or nothing can be written anywhere.
 */
export async function pageFiles(caches: readonly string[] = CACHES): Promise<string> {
  const name = `page-${await hashOfSources()}`;
  for (const cache of caches) {
    if (await isBuilt(join(cache, name))) return join(cache, name);
    if (await isWritable(cache)) return await built(cache, name);
  }
  throw new PageBuildError(
    `The page cannot be built: none of these folders is writable: ${caches.join(', ')}.`,
  );
}

async function built(cache: string, name: string): Promise<string> {
  const folder = join(cache, name);
  const draft = join(cache, `${name}.${randomUUID()}`);
  try {
    await build(draft);
    // Another process may have been faster: its page is the same.
    await rename(draft, folder).catch(async (cause: unknown) => {
      if (!(await isBuilt(folder)))
        throw new PageBuildError(`The page cannot be stored at ${folder}.`, { cause });
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/** In a thread of its own: the bundler keeps it busy for seconds, and sets `NODE_ENV`, which must not be ours. */
function build(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./page-build-worker.ts', import.meta.url), {
      workerData: { source: PAGE, folder },
      env: { ...process.env, NODE_ENV: 'production' },
      execArgv: [],
    });
    worker.once('error', (cause) =>
      reject(new PageBuildError('The page cannot be built from its sources.', { cause })),
    );
    worker.once('exit', () => resolve());
  });
}

async function hashOfSources(): Promise<string> {
  const entries = await readdir(PAGE, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of [...files.sort(), ...BESIDE]) {
    hash.update(file.slice(ROOT.length)).update('\0');
    hash.update(await readFile(file).catch(() => '')).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

async function isBuilt(folder: string): Promise<boolean> {
  return await stat(join(folder, 'index.html')).then(
    (file) => file.isFile(),
    () => false,
  );
}

async function isWritable(folder: string): Promise<boolean> {
  const probe = join(folder, randomUUID());
  return await mkdir(probe, { recursive: true })
    .then(() => rm(probe, { recursive: true }))
    .then(
      () => true,
      () => false,
    );
}
