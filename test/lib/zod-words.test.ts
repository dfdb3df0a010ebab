import { expect, it } from 'vitest';
import { z } from 'zod';
import '../../src/lib/zod-words.ts';

const SCHEMA = z.object({
  name: z.string().min(1).max(3),
  count: z.int().min(5),
  tags: z.array(z.string()).max(1),
  level: z.enum(['low', 'high']),
  link: z.url(),
  more: z.strictObject({}),
});

it.each([
  ['what is missing', {}, 'name is missing'],
  ['the wrong type', { name: 7 }, 'name must be text, not a number'],
  ['null', { name: null }, 'name must be text, not null'],
  ['an empty text', { name: '' }, 'name must not be empty'],
  ['a long text', { name: 'long' }, 'name must have at most 3 characters'],
  ['a number that is not whole', { count: 1.5 }, 'count must be a whole number'],
  ['a small number', { count: 1 }, 'count must be at least 5'],
  ['a list of other things', { tags: [1] }, 'tags.0 must be text, not a number'],
  ['a long list', { tags: ['a', 'b'] }, 'tags must have at most 1 item'],
  ['another word', { level: 'mid' }, 'level must be low or high'],
  ['no address', { link: 'here' }, 'link must be an address such as https://example.com'],
  ['a list for an object', { more: [] }, 'more must be an object, not a list'],
  ['a field that is not known', { more: { a: 1 } }, 'more has fields that are not known: a'],
])('%s is explained in words that follow the name of the field', (_, value, words) => {
  const issues = SCHEMA.safeParse(value).error?.issues ?? [];
  expect(issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toContain(words);
});

it('leaves a schema its own words', () => {
  expect(z.string({ error: 'must be a name' }).safeParse(1).error?.issues[0]?.message).toBe('must be a name');
});
