import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { section } from './document.ts';

const Fields = z.record(z.string(), z.unknown());

type Shape = Readonly<Record<string, z.ZodType>>;
type Objects = () => readonly unknown[];

/**
 * The suite of a section's table: the shape names every row, and every object, of which there is at least one,
 * has these fields and no others.
 */
export function describeFields(number: string, shape: Shape, objects: Objects): void {
  const { rows, title } = section(number);
  describeObjects(number, title, shape, objects);
  it(`${number} is walked row by row`, () => {
    expect(Object.keys(shape)).toEqual(rows);
  });
}

/** The same for objects that the section tells of in prose: nothing is asked for that it does not name. */
export function describePart(number: string, shape: Shape, objects: Objects, part: string): void {
  const { text } = section(number);
  describeObjects(number, part, shape, objects);
  it(`${number} ${part} is in the document`, () => {
    const named = (name: string) => new RegExp(`\\b${name}\\b`, 'u').test(text);
    expect(Object.keys(shape).filter((name) => !named(name))).toEqual([]);
  });
}

function describeObjects(number: string, what: string, shape: Shape, objects: Objects): void {
  const all = () => objects().map((object) => Fields.parse(object));

  describe(`${number} ${what}`, () => {
    it.each(Object.entries(shape))(`${number} %s`, (name, type) => {
      const values = all().map((object) => object[name]);
      expect(values).not.toEqual([]);
      expect(values.filter((value) => !type.safeParse(value).success)).toEqual([]);
    });

    it('has no other field', () => {
      expect(all().flatMap((object) => Object.keys(object).filter((name) => !(name in shape)))).toEqual([]);
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
