import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/service/investigation/kinds/index.ts';

const folder = new URL('../../../src/service/investigation/', import.meta.url);
const HELPERS = ['commands.ts', 'observations.ts', 'index.ts', 'proximity.ts', 'types.ts'];

describe('the kinds of fault', () => {
  it('in the registry are those on disk', () => {
    const onDisk = readdirSync(new URL('kinds/', folder)).filter((file) => !HELPERS.includes(file));
    expect(KINDS).toHaveLength(onDisk.length);
    expect(new Set(KINDS.map(({ name }) => name)).size).toBe(onDisk.length);
  });
});

describe('the investigator', () => {
  it('sees the system through telemetry alone', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const foreign = files.flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/from '([^']+)'/gu)]
        .map(([, path = '']) => path)
        .filter((path) => path.includes('shop') || path.includes('agent')),
    );
    expect(files.length).toBeGreaterThan(20);
    expect(foreign).toEqual([]);
  });
});
