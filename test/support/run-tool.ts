import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { childEnv, programFile } from './child.ts';
import { projectRoot } from './files.ts';

export interface ToolResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program (`src/tools/doctor.ts`) as a process of its own, with nothing but `env` in its environment. */
export async function runTool(
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<ToolResult> {
  const child = spawn(process.execPath, [programFile(program), ...args], {
    cwd: projectRoot,
    env: childEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
