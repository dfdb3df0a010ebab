import { expect, it } from 'vitest';
import { projectFile } from '../support/files.ts';

it.each(['main', 'service', 'start'])('is set up by %s before anything else is loaded', (program) => {
  const [first] = projectFile(`src/${program}.ts`).split('\n');
  expect(first).toBe("import './lib/regexp-engine.ts';");
});

it('finds a name in any case, however often it has looked', () => {
  // V8 changes its mind about an expression after it has run once or twice.
  const name = /(?<![\p{L}\p{N}])(?<name>robert tables|maria|Maria|eve|Eve)(?![\p{L}\p{N}])/giu;
  const found = Array.from({ length: 200 }, () => 'ROBERT TABLES, maria and Eve'.replace(name, '…'));
  expect(new Set(found)).toEqual(new Set(['…, … and …']));
});
