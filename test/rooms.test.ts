import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from './service/support.ts';
import { measureRooms, type Rooms, shownRooms, TABLE, worseRooms } from './support/rooms.ts';

const Table = z.record(
  z.string(),
  z.object({ lines: z.number(), expressions: z.number(), oneImporter: z.number(), manyReturns: z.number() }),
);

/** A change that is worth it is written into the table by `npx node test/support/rooms.ts`, in a commit that says why. */
it('no room of src reads worse than the table says', () => {
  const rooms = measureRooms();
  console.table(shownRooms(rooms));
  expect(worseRooms(Table.parse(JSON.parse(readFileSync(TABLE, 'utf8'))), rooms)).toEqual([]);
});

function plant(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

it('a room is measured by its expressions, its files of one importer, and its functions of many returns', () => {
  const returns = 'if (a) return 1;\n'.repeat(8);
  const root = plant({
    'main.ts': "import './bot/filing/a.ts';\nimport './lib/text.ts';\n",
    'bot/filing/a.ts': `import '../../lib/text.ts';\nconst is = [/x/u, new RegExp('y'), RegExp('z')];\nfunction f(a) {\n${returns}}\n`,
    'bot/filing/b.ts': `const g = (a) => [() => {\n${returns.slice(0, 17 * 4)}}, () => {\n${returns.slice(0, 17 * 4)}}];\n`,
    'lib/text.ts': '',
  });
  expect(measureRooms(root)).toEqual({
    'bot/filing': { lines: 23, expressions: 3, oneImporter: 1, manyReturns: 1 },
    lib: { lines: 0, expressions: 0, oneImporter: 0, manyReturns: 0 },
    src: { lines: 2, expressions: 0, oneImporter: 0, manyReturns: 0 },
  });
});

it('what became worse is named; fewer lines, and more of everything in more lines, are none', () => {
  const room = { lines: 1_000, expressions: 10, oneImporter: 2, manyReturns: 0 };
  const worse = (now: Partial<typeof room>, was: Rooms = { lib: room }) =>
    worseRooms(was, { lib: { ...room, ...now } });
  expect(worse({ expressions: 11 })).toEqual(['lib has 11 regular expressions per 1,000 lines (10 before)']);
  expect(worse({ oneImporter: 3, manyReturns: 1 })).toEqual([
    'lib has 3 files of one importer (2 before)',
    'lib has 1 functions of more than seven returns (0 before)',
  ]);
  expect(worse({}, {})).toHaveLength(2);
  expect([...worse({ lines: 800 }), ...worse({ lines: 2_000, expressions: 20 })]).toEqual([]);
});
