import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/service/investigation/kinds/index.ts';

const folder = new URL('../../../src/service/investigation/', import.meta.url);

describe('the kinds of fault', () => {
  it('are all in the registry, under names of their own', () => {
    const kinds = readdirSync(new URL('kinds/', folder)).flatMap((file) => [
      ...readFileSync(new URL(`kinds/${file}`, folder), 'utf8').matchAll(/^export const \w+: Kind =/gmu),
    ]);
    expect(KINDS).toHaveLength(kinds.length);
    expect(new Set(KINDS.map(({ name }) => name)).size).toBe(kinds.length);
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
    expect(files.length).toBeGreaterThan(10);
    expect(foreign).toEqual([]);
  });
});
