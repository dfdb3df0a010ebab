import { expect, it } from 'vitest';
import type { Command } from '../../src/lib/io.ts';
import { auditExport } from '../../src/tools/audit-export.ts';
import { doctor } from '../../src/tools/doctor.ts';
import { explainCommand } from '../../src/tools/explain.ts';
import { moveCommand } from '../../src/tools/move.ts';
import { rca } from '../../src/tools/rca.ts';
import { trial } from '../../src/tools/trial.ts';
import { bench } from '../bench/bench.ts';
import { call } from '../support/call.ts';

const AUDIT_EXPORT = 'usage: npm run -s audit-export';
const EXPLAIN = 'usage: npm run -s explain -- WHAT';
const MOVE = 'usage: npm run move';
const RCA = 'usage: npm run -s rca -- [--trace] FOLDER';

it.each<[usage: string, command: Command, words: string[], code: number]>([
  ['usage: npm run bench', bench, ['--nonsense'], 2],
  ['usage: npm run doctor', doctor, ['--nonsense'], 2],
  [AUDIT_EXPORT, auditExport, ['--nonsense'], 2],
  [AUDIT_EXPORT, auditExport, [], 2],
  [AUDIT_EXPORT, auditExport, ['--since', 'yesterday'], 2],
  [AUDIT_EXPORT, auditExport, ['--since', '2026-11-01', '--format', 'xml'], 2],
  [EXPLAIN, explainCommand, ['--nonsense'], 1],
  [EXPLAIN, explainCommand, [], 1],
  [MOVE, moveCommand, ['--nonsense'], 2],
  [MOVE, moveCommand, [], 2],
  [MOVE, moveCommand, ['sqlite:./x.db'], 2],
  [MOVE, moveCommand, ['postgres://h/db', 'sqlite:./x.db'], 2],
  [RCA, rca, ['--nonsense'], 2],
  [RCA, rca, [], 2],
  ['usage: npm run -s trial', trial, ['--nonsense'], 2],
  [RCA, rca, ['one', 'two'], 2],
])('"%s" answers words that it does not take (%o %j)', async (usage, command, words, code) => {
  expect(await call(command, words)).toEqual({
    code,
    stdout: '',
    stderr: expect.stringContaining(usage),
  });
});

it.each<[name: string, command: Command]>([
  ['bench', bench],
  ['doctor', doctor],
])('%s --help prints its usage', async (name, command) => {
  expect(await call(command, ['--help'])).toEqual({
    code: 0,
    stdout: expect.stringContaining(`usage: npm run ${name}`),
    stderr: '',
  });
});
