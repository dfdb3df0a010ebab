import { relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { projectRoot } from './files.ts';

/** Whether this run includes a test file whose path in the project matches. */
export function runsAny(project: TestProject, path: RegExp): boolean {
  return project.vitest.state.getPaths().some((file) => path.test(relative(projectRoot, file)));
}
