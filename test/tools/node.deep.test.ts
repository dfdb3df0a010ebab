import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectRoot } from '../support/files.ts';
import { runtimes } from '../support/lock-file.ts';

it('the Node that `npm run` uses is that of the lock file, where there is one for this machine', async () => {
  const machine = `${process.platform} ${process.arch}`;
  const ours = runtimes.find(([, { os, cpu }]) => [os, cpu].flat().join(' ') === machine);
  if (ours === undefined) return;
  const [path, { version, bin }] = ours;
  expect(realpathSync(join(projectRoot, 'node_modules/.bin/node'))).toBe(
    join(projectRoot, 'src/tools/node/node'),
  );
  const { stdout } = await promisify(execFile)(join(projectRoot, 'node_modules/.bin/node'), [
    '-p',
    'process.execPath',
  ]);
  expect(relative(projectRoot, realpathSync(stdout.trim()))).toBe(join(path, bin?.node ?? ''));
  expect(process.versions.node).toBe(version);
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(projectRoot, path, 'package.json'), 'utf8')));
  expect(manifest.version).toBe(version);
});

describe('on a machine that there is no Node for in the lock file', () => {
  const alone = mkdtempSync(join(tmpdir(), 'gumshoe-node-'));
  afterAll(() => rmSync(alone, { recursive: true }));
  const linked = join(alone, 'bin/node');
  mkdirSync(dirname(linked));
  copyFileSync(join(projectRoot, 'src/tools/node/node'), join(alone, 'node'));
  symlinkSync('../node', linked);

  it('is the machine’s own', async () => {
    const own = dirname(process.execPath);
    const env = { PATH: [dirname(linked), own, '/usr/bin', '/bin'].join(':') };
    const { stdout } = await promisify(execFile)(linked, ['-p', 'process.argv.slice(1)', 'two words'], {
      env,
    });
    expect(stdout).toBe("[ 'two words' ]\n");
  });

  it('or it says so, where the machine has none', async () => {
    const tools = join(alone, 'tools');
    mkdirSync(tools);
    for (const name of ['readlink', 'dirname']) symlinkSync(`/usr/bin/${name}`, join(tools, name));
    const env = { PATH: [dirname(linked), tools].join(':') };
    await expect(promisify(execFile)(linked, ['-v'], { env })).rejects.toMatchObject({
      code: 127,
      stderr: 'There is no Node for this machine: install Node 24 or newer.\n',
    });
  });
});
