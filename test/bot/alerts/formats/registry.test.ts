import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../../../../src/bot/alerts/formats/index.ts';
import { table } from '../../../../src/bot/alerts/formats/table.ts';
import { contentOf, SlackMessage } from '../../../../src/bot/alerts/message.ts';
import { readTree } from '../../../support/imports.ts';
import { fixtures } from '../fixtures.ts';

const FOLDER = join(import.meta.dirname, '../../../../src/bot/alerts/formats');
const own = formats.filter(({ name }) => name !== 'generic');

const vendorOf = (path: string) =>
  /^alerts\/formats\/(?!index\.ts|table\.ts)([^/.]+)/u.exec(path)?.[1] ?? null;

describe('the registry of formats', () => {
  it('lists exactly the files of formats, and the rows of the table', () => {
    const files = readdirSync(FOLDER).filter((name) => !['index.ts', 'table.ts'].includes(name));
    expect(formats.map(({ name }) => name).sort()).toStrictEqual(
      [...files.map((name) => name.replace('.ts', '')), ...table.map(({ name }) => name)].sort(),
    );
  });

  it('has no format that imports another', () => {
    const { imports } = readTree(join(FOLDER, '../..'));
    const within = imports.filter(({ from }) => vendorOf(from) !== null);
    const across = within.filter(({ from, to }) => ![null, vendorOf(from)].includes(vendorOf(to)));
    expect(within.length).toBeGreaterThan(own.length - table.length);
    expect(across).toStrictEqual([]);
  });

  it('tries the generic format last', () => {
    expect(formats.at(-1)?.name).toBe('generic');
  });

  it.each(own.map((format) => [format.name, format] as const))(
    '%s has fixtures, and parses these and no others',
    (name, format) => {
      const claimed = [...fixtures.values()]
        .filter(({ message }) => format.extract(contentOf(SlackMessage.parse(message))) !== null)
        .map((fixture) => fixture.vendor);
      expect(new Set(claimed)).toStrictEqual(new Set([name]));
      expect(claimed).toHaveLength([...fixtures.values()].filter(({ vendor }) => vendor === name).length);
    },
  );
});
