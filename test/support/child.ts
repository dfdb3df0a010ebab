import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';
import { projectRoot } from './files.ts';
import { until } from './until.ts';

/** The whole program, which tests kill and start again. */
export const KILLABLE = 'test/support/killable.ts';

/** What tests start, and what those start in their turn: a run of the tests bundles them (`bundle.ts`). */
export const PROGRAMS: readonly string[] = [
  KILLABLE,
  'src/main.ts',
  'src/service.ts',
  'src/start.ts',
  'src/tools/audit-export.ts',
  'src/tools/backup.ts',
  'src/tools/doctor.ts',
  'src/tools/explain.ts',
  'src/tools/move.ts',
  'test/support/fuzz/child.ts',
];

export interface Child {
  process: ChildProcess;
  /** Everything it wrote so far. */
  output(): string;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
}

/** Of a child process: these variables, where programs are found, and where Node keeps what it has compiled. */
export function childEnv(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env };
}

/** The file to start for a program: its bundle, if this run has made one. */
export function programFile(file: string): string {
  const folder = process.env.PROGRAM_BUNDLES;
  if (folder === undefined || !PROGRAMS.includes(file)) return join(projectRoot, file);
  return join(folder, `${bundleName(file)}.mjs`);
}

/** `src-tools-doctor` of `src/tools/doctor.ts`. */
export function bundleName(file: string): string {
  return file.replace(/\.ts$/u, '').replaceAll('/', '-');
}

/** Starts a file of the project with this Node, in an environment of its own. */
export function startChild(
  file: string,
  env: Record<string, string>,
  cwd?: string,
  words: string[] = [],
): Child {
  const child = spawn(process.execPath, [programFile(file), ...words], {
    env: childEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return { process: child, output: () => written, ended };
}

/** Waits for a line of the child's output, and answers what `pattern` matched; a program that has ended is not waited for. */
export function untilPrinted(child: Child, pattern: RegExp): Promise<RegExpExecArray> {
  let end: string | null = null;
  void child.ended.then((how) => {
    end = String(how);
  });
  return until(`the program says ${pattern}`, () => {
    const found = pattern.exec(child.output());
    if (found === null && end !== null) throw new Error(`The program ended (${end}): ${child.output()}`);
    return found;
  });
}
