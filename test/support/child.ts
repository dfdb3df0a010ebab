import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from './compile-cache.ts';
import { until } from './until.ts';

/** The whole program, which tests kill and start again. */
export const KILLABLE = 'test/support/killable.ts';

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

/** The file to start for a program of the tests: its bundle, if this run has made one (`bundle.ts`). */
export function programFile(file: string): string {
  const bundled = file === KILLABLE ? process.env.KILLABLE_BUNDLE : undefined;
  return bundled ?? fileURLToPath(new URL(`../../${file}`, import.meta.url));
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

/** Waits for a line of the child's output, and answers what `pattern` matched. */
export function untilSays(child: Child, pattern: RegExp): Promise<RegExpExecArray> {
  return until(`the program says ${pattern}`, () => pattern.exec(child.output()));
}
