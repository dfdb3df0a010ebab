import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageKinds, stepNames } from '../support/chaos/steps.ts';
import { filesBelow, projectRoot } from '../support/files.ts';

const PER_KIND = /^\$\{row\.kind\}/u;
const CALL = /\bcheckpoint\(\s*(['"`])(.+?)\1/gu;

/** The steps that a source names; what is made from the kind of a row stands for each kind of message. */
function stepsIn(source: string): string[] {
  return [...source.matchAll(CALL)].flatMap(([, , name = '']) =>
    PER_KIND.test(name) ? messageKinds.map((kind) => name.replace(PER_KIND, kind)) : [name],
  );
}

describe('the named checkpoints', () => {
  it('are those at which the chaos harness kills, each of them', () => {
    const root = join(projectRoot, 'src');
    const files = filesBelow(root, (path) => path.endsWith('.ts'));
    const sources = files.map((file) => readFileSync(join(root, file), 'utf8'));
    const inSources = new Set(sources.flatMap(stepsIn));
    expect([...inSources].sort()).toEqual([...stepNames].sort());
  });

  it('are found however they are written', () => {
    const made = ['`$', '{row.kind}: sent`'].join('');
    const source = `await checkpoint('a: b');\nawait options.checkpoint(\n  ${made},\n);\nconst footcheckpoint('no');`;
    expect(stepsIn(source)).toEqual(['a: b', ...messageKinds.map((kind) => `${kind}: sent`)]);
  });
});
