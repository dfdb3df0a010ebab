import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { isIgnored, pairsIn, readDockerfile, type Stage } from './dockerfile.ts';
import { filesBelow, projectFile, projectRoot } from './files.ts';

/** What the image would hold, built in a folder, since there is no Docker where the tests run. */
export interface Image extends Disposable {
  /** The root of the final stage. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  command: string[];
  healthcheck: string[];
  /** Every instruction of the final stage. */
  stage: Stage;
}

const words = z.array(z.string());

/** The build's context: the project's files that `.dockerignore` lets through. */
function makeContext(folder: string): void {
  const dockerignore = projectFile('.dockerignore');
  const paths = filesBelow(
    projectRoot,
    (path) => !path.startsWith('.git/') && !isIgnored(dockerignore, path),
  );
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(projectRoot, path), join(folder, path));
  }
}

/** COPY as Docker does it: a folder's content goes into the target, a file goes into a target that ends with `/`. */
function copy(
  rest: string,
  { context, roots, root, cwd }: { context: string; roots: Map<string, string>; root: string; cwd: string },
): void {
  const words = rest.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const sources = words.filter((word) => !word.startsWith('--'));
  const base = from === undefined ? context : (roots.get(from) ?? '');
  const target = sources.pop() ?? '';
  const into = join(target.startsWith('/') ? root : cwd, target);
  for (const source of sources) {
    const path = join(base, source);
    const inside = !statSync(path).isDirectory() && target.endsWith('/');
    cpSync(path, inside ? join(into, source) : into, { recursive: true });
  }
}

/** Runs a build step: what it makes at the root is below the stage's root here. */
async function run(command: string, root: string, cwd: string): Promise<void> {
  const local = command.replaceAll(/(?<= )\/(data|runtime)\b/gu, `${root}/$1`);
  const { npm_config_local_prefix: _, ...env } = process.env; // of the `npm test` that we may be part of
  // This Node, as the build has that of its base.
  const PATH = `${dirname(process.execPath)}:${env.PATH}`;
  await promisify(execFile)('sh', ['-ec', local], { cwd, env: { ...env, PATH } });
}

/** Interprets the Dockerfile's steps, the same commands in the same order, each stage in a clean folder. */
export async function buildImage(): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-image-'));
  const context = join(folder, 'context');
  makeContext(context);
  const roots = new Map<string, string>();
  const stages = readDockerfile(projectFile('Dockerfile'));
  const image: Pick<Image, 'env' | 'command' | 'healthcheck'> = { env: {}, command: [], healthcheck: [] };
  let [root, workdir] = ['', ''];
  for (const [index, stage] of stages.entries()) {
    root = join(folder, `stage-${index}`);
    workdir = root;
    roots.set(stage.name ?? String(index), root);
    for (const { name, rest } of stage.instructions) {
      if (name === 'WORKDIR') workdir = join(root, rest);
      if (name === 'WORKDIR') mkdirSync(workdir, { recursive: true });
      if (name === 'COPY') copy(rest, { context, roots, root, cwd: workdir });
      if (name === 'RUN') await run(rest, root, workdir);
      if (name === 'ENV') Object.assign(image.env, pairsIn(rest));
      if (name === 'CMD') image.command = words.parse(JSON.parse(rest));
      if (name === 'HEALTHCHECK')
        image.healthcheck = words.parse(JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)));
    }
  }
  const stage = stages.at(-1);
  if (stage === undefined) throw new Error('The Dockerfile has no stage');
  return { ...image, stage, root, workdir, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
