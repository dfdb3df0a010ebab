import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formats } from '../../../../src/bot/alerts/formats/index.ts';
import { contentOf, SlackMessage } from '../../../../src/bot/alerts/message.ts';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { runs } from '../../../support/property-runs.ts';
import { fixtures, messageOf } from '../fixtures.ts';

const own = formats.filter(({ name }) => name !== 'generic');
const recorded = [...fixtures.values()].filter(({ vendor }) => own.some(({ name }) => name === vendor));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every list of fields below a value, blocks' and attachments' alike. */
function fieldLists(value: unknown): unknown[][] {
  if (Array.isArray(value)) return value.flatMap(fieldLists);
  if (!isObject(value)) return [];
  const lists = Object.values(value).flatMap(fieldLists);
  return Array.isArray(value.fields) ? [value.fields, ...lists] : lists;
}

/** The same message with each list of fields turned over by a seed. */
function turned(name: string, by: number): Record<string, unknown> {
  const message = messageOf(name);
  for (const list of fieldLists(message)) {
    const moved = list.splice(0, by % list.length);
    list.push(...(by % 2 === 0 ? moved : moved.reverse()));
  }
  return message;
}

/** Every object of a message that has keys to lose. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** The attachments of a message, and its blocks, which most tools could send in any order. */
function partLists(value: unknown): unknown[][] {
  if (Array.isArray(value)) return value.flatMap(partLists);
  if (!isObject(value)) return [];
  const own = [value.attachments, value.blocks].filter((list) => Array.isArray(list));
  return [...own.filter((list) => list.length > 1), ...own.flatMap(partLists)];
}

/** Botkube's first block is its heading. */
const parted = recorded.filter(
  ({ vendor, message }) => vendor !== 'botkube' && partLists(message).length > 0,
);
const many = recorded.filter(({ message }) => fieldLists(message).some((list) => list.length > 1));
const said = (message: unknown) => {
  const { description: _, tags, ...alert } = parseAlert(message);
  return { ...alert, tags: [...tags].sort() };
};

describe('a fixture', () => {
  it.each(many.map(({ name }) => name))('%s is parsed the same with its fields in any order', (name) => {
    fc.assert(
      fc.property(fc.nat({ max: 23 }), (by) => {
        expect(said(turned(name, by))).toStrictEqual(said(messageOf(name)));
      }),
      { numRuns: runs(12) },
    );
  });

  it.each(parted.map(({ name }) => name))('%s is parsed the same with its parts in any order', (name) => {
    const whole = said(messageOf(name));
    for (let at = 0; at < partLists(messageOf(name)).length; at += 1) {
      const length = partLists(messageOf(name))[at]?.length ?? 0;
      for (let by = 1; by < length; by += 1) {
        const message = messageOf(name);
        const list = partLists(message)[at];
        list?.push(...list.splice(0, by));
        expect(said(message)).toStrictEqual(whole);
      }
    }
  });

  it.each(recorded.map(({ name, vendor }) => [name, vendor]))(
    '%s is parsed by no other format, whatever parts are missing',
    (name, vendor) => {
      fc.assert(
        fc.property(fc.infiniteStream(fc.nat()), fc.nat({ max: 4 }), (picks, losses) => {
          const message = messageOf(name);
          for (let lost = 0; lost < losses; lost += 1) {
            const objects = objectsIn(message).filter((one) => Object.keys(one).length > 0);
            const object = objects[picks.next().value % objects.length] ?? message;
            const keys = Object.keys(object);
            Reflect.deleteProperty(object, keys[picks.next().value % keys.length] ?? '');
          }
          const content = contentOf(SlackMessage.parse(message));
          const claimed = own
            .filter((format) => format.extract(content) !== null)
            .map((format) => format.name);
          expect(claimed.filter((format) => format !== vendor)).toStrictEqual([]);
        }),
        { numRuns: runs(40) },
      );
    },
  );

  const alerts = recorded.filter(({ expected }) => expected.kind !== 'not_an_alert');
  it.each(alerts.map((fixture) => [fixture.name, fixture] as const))(
    '%s never changes between firing and resolved when a part is missing',
    (name, { expected }) => {
      const opposite = expected.kind === 'resolved' ? 'firing' : 'resolved';
      for (let lost = 0; lost < partsOf(messageOf(name)).length; lost += 1) {
        const message = messageOf(name);
        const part = partsOf(message)[lost];
        if (part) Reflect.deleteProperty(part.of, part.key);
        expect({ lost: part?.key, kind: parseAlert(message).kind }).not.toStrictEqual({
          lost: part?.key,
          kind: opposite,
        });
      }
    },
  );
});

/** Every key of a message that it may lack, and the object that has it. */
function partsOf(message: Record<string, unknown>): { of: Record<string, unknown>; key: string }[] {
  return objectsIn(message).flatMap((of) => Object.keys(of).map((key) => ({ of, key })));
}
