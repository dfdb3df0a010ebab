import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { programVersion } from '../src/lib/io.ts';
import { projectFile, projectRoot } from './support/files.ts';

const Step = z.looseObject({ name: z.string().optional(), run: z.string().optional() });
const Workflow = z.looseObject({ jobs: z.record(z.string(), z.looseObject({ steps: z.array(Step) })) });

it('a release gets the section of its version as notes, and nothing of another', () => {
  const { jobs } = Workflow.parse(parse(projectFile('.github/workflows/release.yaml')));
  const { run = '' } =
    Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .find(({ name }) => name === "The changelog's section as notes") ?? {};
  const cwd = mkdtempSync(join(tmpdir(), 'gumshoe-notes-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  copyFileSync(join(projectRoot, 'CHANGELOG.md'), join(cwd, 'CHANGELOG.md'));
  const notesOf = (tag: string) => {
    execFileSync('bash', ['-ec', run], { cwd, env: { ...process.env, GITHUB_REF_NAME: tag } });
    return readFileSync(join(cwd, 'notes.md'), 'utf8');
  };
  const notes = notesOf(`v${programVersion()}`);
  expect(projectFile('CHANGELOG.md')).toContain(notes.trim());
  expect([/^### Added$/mu.test(notes), /^## /mu.test(notes)]).toEqual([true, false]);
  expect(() => notesOf('v9.9.9')).toThrow('Command failed');
});
