import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { section } from './document.ts';

const Fields = z.record(z.string(), z.unknown());

/**
 * The suite of a table of fields: the shape names every row of the section's table (of a `part` that is told in
 * prose: nothing that the section does not name), and every object, of which there is at least one, has these
 * fields and no others.
 */
export function describeFields(
  number: string,
  shape: Readonly<Record<string, z.ZodType>>,
  objects: () => readonly unknown[],
  part?: string,
): void {
  const { rows, text, title } = section(number);
  const names = Object.keys(shape);

  describe(`${number} ${part ?? title}`, () => {
    it('is walked row by row', () => {
      const named = names.filter((name) => new RegExp(`\\b${name}\\b`, 'u').test(text));
      const expected = part === undefined && rows.length > 0 ? rows : named;
      expect(names).toEqual(expected);
    });

    it.each(Object.entries(shape))(`${number} %s`, (name, type) => {
      const values = objects().map((object) => Fields.parse(object)[name]);
      expect(values).not.toEqual([]);
      for (const value of values)
        expect(type.safeParse(value), String(value)).toMatchObject({ success: true });
    });

    it('has no other field', () => {
      for (const object of objects()) {
        expect(Object.keys(Fields.parse(object)).filter((name) => !names.includes(name))).toEqual([]);
      }
    });
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;

/** The types of the contract's tables (section 2), written down anew: a mistake in the program is not repeated here. */
export const types = {
  uuid: z.string().regex(UUID),
  text: z.string(),
  someText: z.string().min(1),
  positive: z.int().min(1).max(9007199254740991),
  count: z.int().min(0).max(9007199254740991),
  severity: z.literal(['low', 'medium', 'high']),
  status: z.literal(['investigating', 'ready_to_fix', 'resolved', 'muted']),
  timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/u),
  nanoseconds: z.string().regex(/^\d{19}$/u),
  list: z.array(z.unknown()),
  object: z.record(z.string(), z.unknown()),
};
