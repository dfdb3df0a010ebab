import { describe, expect, it } from 'vitest';
import { forbiddenImports } from './support/architecture.ts';
import { isIgnored, readDockerfile } from './support/dockerfile.ts';
import { projectFile, projectRoot } from './support/files.ts';
import { readTree } from './support/imports.ts';
import { isInProduction } from './support/lock-file.ts';

const dockerignore = projectFile('.dockerignore');

describe('the Dockerfile', () => {
  const stages = readDockerfile(projectFile('Dockerfile'));
  const last = stages.at(-1)?.instructions ?? [];
  const restOf = (name: string) => last.filter((one) => one.name === name).map(({ rest }) => rest);

  it('takes its bases by digest, installs in the first, and runs on one without a package manager or a shell', () => {
    expect(stages.map(({ image }) => image)).toEqual([
      expect.stringMatching(/^node:26-slim@sha256:[0-9a-f]{64}$/u),
      expect.stringMatching(/^gcr\.io\/distroless\/cc-debian12:nonroot@sha256:[0-9a-f]{64}$/u),
    ]);
    const [first = []] = stages.map(({ instructions }) => instructions);
    expect(first.slice(0, 3)).toEqual([
      { name: 'WORKDIR', rest: '/app' },
      { name: 'COPY', rest: 'package.json package-lock.json ./' },
      { name: 'RUN', rest: 'npm ci --omit=dev --no-audit --no-fund' },
    ]);
    expect(restOf('RUN')).toEqual([]);
  });

  it('runs as a user without rights, ends on SIGTERM, keeps its data in a volume, and says how it is', () => {
    expect(restOf('USER')).toEqual(['65532:65532']);
    expect(restOf('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(restOf('VOLUME')).toEqual(['/data']);
    expect(restOf('HEALTHCHECK')).toEqual([expect.stringContaining('/healthz')]);
    expect(restOf('CMD')).toEqual([
      '["node", "--max-semi-space-size=4", "--no-regexp-tier-up", "src/main.ts"]',
    ]);
  });

  it('becomes that user after the last step that needs more rights', () => {
    const names = last.map(({ name }) => name);
    expect(names.indexOf('USER')).toBeGreaterThan(
      Math.max(names.lastIndexOf('RUN'), names.lastIndexOf('COPY')),
    );
  });
});

describe('the .dockerignore', () => {
  it.each([
    ['src/main.ts', false],
    ['src/bot/store/open.ts', false],
    ['package-lock.json', false],
    ['src/start.ts', true],
    ['src/service/server.ts', false],
    ['src/demo/shop/shop.ts', true],
    ['test/main.test.ts', true],
    ['node_modules/zod/package.json', true],
    ['.env', true],
    ['data/gumshoe.db', true],
  ])('%s is left out: %s', (path, ignored) => {
    expect(isIgnored(dockerignore, path)).toBe(ignored);
  });
});

describe('what the image holds', () => {
  const tree = readTree(`${projectRoot}src`, (path) => !isIgnored(dockerignore, `src/${path}`));

  it('is every file that its source imports', () => {
    // Both are loaded on demand, and their absence is said in a sentence.
    expect(forbiddenImports(tree).filter((line) => line.endsWith('does not exist'))).toEqual([
      'service.ts imports demo/simulated-service.ts, which does not exist',
      'tools/doctor.ts imports tools/gallery/windows.ts, which does not exist',
    ]);
  });

  it('is every package that its source imports, and none for development', () => {
    const missing = tree.packages.filter(({ to, kind }) => kind !== 'type' && !isInProduction(to));
    expect(missing).toEqual([]);
    const packages = ['@slack/bolt', 'better-sqlite3', 'typescript', 'vitest', 'react', 'vite', 'node'];
    expect(packages.filter(isInProduction)).toEqual(['@slack/bolt', 'better-sqlite3']);
  });
});
