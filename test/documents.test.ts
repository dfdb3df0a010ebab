import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, projectRoot } from './support/files.ts';
import { generatedDocuments } from './support/generate-docs.ts';

const documents = [
  'README.md',
  'AGENTS.md',
  'packages/local-slack/README.md',
  'src/service/README.md',
  'test/bench/README.md',
  'test/threats.md',
  ...filesBelow(join(projectRoot, 'docs'), (path) => path.endsWith('.md')).map((path) => `docs/${path}`),
];

const exists = (path: string): boolean => existsSync(join(projectRoot, path));
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe.each(documents)('%s', (document) => {
  it('names only files and folders that exist', () => {
    // A path with a placeholder (`features/<feature>/`) is left alone; a module may be written without its `.ts`.
    const paths = [...read(document).matchAll(/`((?:src|test|docs)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.filter((path) => !exists(path) && !exists(`${path}.ts`))).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const [path = '', heading] = link.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      return !exists(target) || (heading !== undefined && !anchors(target).includes(heading));
    });
    expect(broken).toEqual([]);
  });
});

it('README.md and docs/ have 22,000 words at most, without the contract', () => {
  const counted = documents.filter((path) => /^(?:README|docs\/(?!service-api))/u.test(path));
  const words = counted.flatMap((path) =>
    read(path)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  );
  expect(words.length).toBeLessThanOrEqual(22_000);
});

it.each([...generatedDocuments()])('%s has the tables that `npm run docs` writes', (path, text) => {
  expect(read(path)).toBe(text);
});

/** The anchors of a document's headings, as GitHub makes them. */
function anchors(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
