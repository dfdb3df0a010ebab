import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { withTables } from './coverage-page.ts';

const PAGE = new URL('../COVERAGE.md', import.meta.url).pathname;

// Made anew by `npx vitest run packages/local-slack/test/coverage-docs.test.ts --update=all`.
test('the tables of the documents are those of the code', async () => {
  const page = await readFile(PAGE, 'utf8');
  await expect(withTables(page)).toMatchFileSnapshot(PAGE);
});
