import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  forbiddenImports,
  forbiddenPackages,
  importCycles,
  localSlackAreas,
} from './support/architecture.ts';
import { projectFile, projectRoot } from './support/files.ts';
import { firstTierViolations } from './support/first-tier.ts';
import { readTree, type Tree } from './support/imports.ts';

const { dependencies } = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(projectFile('package.json')));

const planted: string[] = [];

/** @returns the folder */
function plantFiles(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'gumshoe-tree-'));
  planted.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const plant = (files: Record<string, string>): Tree => readTree(plantFiles(files));

afterEach(() => {
  for (const root of planted.splice(0)) rmSync(root, { recursive: true });
});

describe('the source', () => {
  const tree = readTree(join(projectRoot, 'src'));

  it('is there', () => {
    expect(tree.files).toContain('bot/config.ts');
    expect(tree.files.length).toBeGreaterThan(50);
    expect(tree.imports.length).toBeGreaterThan(50);
  });

  it('imports only what the table of the design allows', () => {
    expect(forbiddenImports(tree)).toEqual([]);
  });

  it('has no cycle of imports', () => {
    expect(importCycles(tree)).toEqual([]);
  });

  it('keeps SQL in the store, Slack in its folder, and the bot to what the image has', () => {
    expect(forbiddenPackages(tree, Object.keys(dependencies))).toEqual([]);
  });
});

describe('a program', () => {
  it('starts in its last statement, when all of its own constants are there', () => {
    const start = /^if \(import\.meta\.main\)/mu;
    const source = (file: string) => projectFile(join('src', file));
    const programs = readTree(join(projectRoot, 'src')).files.filter((file) => start.test(source(file)));
    expect(programs.length).toBeGreaterThan(8);
    const late = programs.filter((file) =>
      /^(?:export )?(?:const|let|class) /mu.test(source(file).slice(source(file).search(start))),
    );
    expect(late).toEqual([]);
  });
});

describe('the local Slack', () => {
  const tree = readTree(join(projectRoot, 'packages/local-slack'));

  it('is a package of its own, which imports nothing of Gumshoe', () => {
    expect(tree.files).toContain('src/server.ts');
    expect(forbiddenImports(tree, localSlackAreas)).toEqual([]);
    expect(importCycles(tree)).toEqual([]);
  });

  it('is used by its public entry alone', () => {
    const users = ['src', 'test'].flatMap((folder) => readTree(join(projectRoot, folder)).imports);
    expect(users.filter(({ to }) => to.includes('packages/local-slack'))).toEqual([]);
  });
});

describe('the first tier of the tests', () => {
  it('starts no process, waits for nothing in real time, and reads no machine’s clock', () => {
    expect(firstTierViolations()).toEqual([]);
    expect(firstTierViolations(join(projectRoot, 'packages/local-slack'))).toEqual([]);
  });

  it('is held to that in what its tests use, too', () => {
    const planted = plantFiles({
      'a.test.ts': "import './support/child.ts';\nimport './support/until.ts';\n",
      'b.deep.test.ts': "import './support/browser.ts';\n",
      'support/child.ts':
        "import { spawn } from 'node:child_process';\nawait new Promise((r) => setTimeout(r, 5));\n",
      'support/until.ts': 'const now = Date.now();\n',
      'support/browser.ts': "import { chromium } from 'playwright-core';\n",
    });
    expect(firstTierViolations(planted)).toEqual([
      'support/child.ts starts a process',
      'support/child.ts waits in real time',
    ]);
  });
});

describe('the check of the architecture', () => {
  it('finds an import against the direction, however it is written', () => {
    const tree = plant({
      'lib/clock.ts': "import '../bot/store/open.ts';\n",
      'bot/store/open.ts': 'export const open = 1;\n',
      'bot/store/work.ts': "export * from '../filing/decide.ts';\n",
      'bot/filing/decide.ts': "const later = import('../render/card.ts');\n",
      'bot/render/card.ts': "import { type A, b } from '../alerts/types.ts';\n",
      'bot/alerts/types.ts': 'export type A = 1;\nexport const b = 1;\n',
    });
    expect(forbiddenImports(tree)).toEqual([
      'bot/filing/decide.ts may not import bot/render/card.ts (dynamic)',
      'bot/render/card.ts may not import bot/alerts/types.ts (value)',
      'bot/store/work.ts may not import bot/filing/decide.ts (value)',
      'lib/clock.ts may not import bot/store/open.ts (value)',
    ]);
  });

  it('lets rendering know the types of the domain, and the service load the demo on demand', () => {
    const tree = plant({
      'bot/render/card.ts':
        "import type { A } from '../alerts/types.ts';\nimport { type A as B } from '../alerts/types.ts';\n",
      'bot/alerts/types.ts': 'export type A = 1;\n',
      'service.ts': "const shop = await import('./demo/simulated-service.ts');\n",
      'demo/simulated-service.ts': 'export const shop = 1;\n',
    });
    expect(forbiddenImports(tree)).toEqual([]);
  });

  it('finds a start that loads the demo always, and an investigator that knows the simulator', () => {
    const tree = plant({
      'start.ts': "import { shop } from './demo/shop/shop.ts';\n",
      'demo/shop/shop.ts': 'export const shop = 1;\n',
      'service/investigation/look.ts': "import type { shop } from '../../demo/shop/shop.ts';\n",
    });
    expect(forbiddenImports(tree)).toEqual([
      'service/investigation/look.ts may not import demo/shop/shop.ts (type)',
      'start.ts may not import demo/shop/shop.ts (value)',
    ]);
  });

  it('finds a file outside the table, and an import of nothing', () => {
    const tree = plant({ 'helpers/x.ts': '', 'lib/a.ts': "import './b.ts';\n" });
    expect(forbiddenImports(tree)).toEqual([
      'helpers/x.ts is in no area of the table',
      'lib/a.ts imports lib/b.ts, which does not exist',
    ]);
  });

  it('finds a cycle through several files, once', () => {
    const tree = plant({
      'lib/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
      'lib/b.ts': "import { c } from './c.ts';\nexport const b = c;\n",
      'lib/c.ts': "import type { a } from './a.ts';\nexport const c = 1;\n",
      'lib/d.ts': "import './a.ts';\n",
    });
    expect(importCycles(tree)).toEqual(['lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts']);
  });

  it('finds a package out of its place, and one that the image lacks', () => {
    const tree = plant({
      'bot/filing/sql.ts': "import { sql } from 'kysely';\n",
      'lib/web.ts': "import { Hono } from 'hono';\nimport { readFileSync } from 'node:fs';\n",
    });
    expect(forbiddenPackages(tree, ['kysely'])).toEqual([
      'bot/filing/sql.ts may not import kysely',
      'lib/web.ts imports hono, which is not a dependency',
    ]);
  });

  it('finds nothing, and says so, in an empty folder', () => {
    expect(plant({}).files).toEqual([]);
  });
});
