import { expect, it } from 'vitest';
import { z } from 'zod';
import { programVersion } from '../src/lib/io.ts';
import { pairsIn, readDockerfile } from './support/dockerfile.ts';
import { projectFile } from './support/files.ts';

const Lock = z.looseObject({
  version: z.string(),
  packages: z.looseObject({ '': z.looseObject({ version: z.string() }) }),
});

it('the program, its lock file, its image and the newest section of its changelog are of one version', () => {
  const lock = Lock.parse(JSON.parse(projectFile('package-lock.json')));
  const label = readDockerfile(projectFile('Dockerfile'))
    .at(-1)
    ?.instructions.find(({ name }) => name === 'LABEL');
  const [newest] = projectFile('CHANGELOG.md').matchAll(
    /^## \[(?<version>\d[^\]]*)\] - \d{4}-\d{2}-\d{2}$/gmu,
  );
  const all = [
    lock.version,
    lock.packages[''].version,
    pairsIn(label?.rest ?? '')['org.opencontainers.image.version'],
    newest?.groups?.version,
  ];
  expect(all).toEqual(all.map(() => programVersion()));
});
