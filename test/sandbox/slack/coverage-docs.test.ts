import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PARTS } from './coverage-claims.ts';
import { withTables } from './coverage-page.ts';

const PAGE = 'docs/local-workspace.md';

/** The titles of a file's tests and groups of tests. */
async function titlesIn(file: string): Promise<Set<string>> {
  const text = await readFile(`test/sandbox/slack/${file}`, 'utf8');
  const found = text.matchAll(
    /^\s*(?:test|it|describe)(?:\.each\(.+?\))?\(\s*(?<quote>['"`])(?<title>.*?)\k<quote>/gm,
  );
  return new Set([...found].map(({ groups }) => groups?.title ?? ''));
}

test('what the documents say is checked, a test checks', async () => {
  const claims = PARTS.flatMap(({ checked }) => Object.entries(checked));
  const missing = await Promise.all(
    claims.map(async ([file, titles]) => {
      const known = await titlesIn(file);
      return titles.filter((title) => !known.has(title)).map((title) => `${file}: ${title}`);
    }),
  );
  expect(missing.flat()).toEqual([]);
});

// Made anew by `npx vitest run --project sqlite test/sandbox/slack/coverage-docs.test.ts --update=all`.
test('the tables of the documents are those of the code', async () => {
  const page = await readFile(PAGE, 'utf8');
  await expect(withTables(page)).toMatchFileSnapshot(`../../../${PAGE}`);
});
