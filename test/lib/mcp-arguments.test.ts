import { expect, it } from 'vitest';
import { z } from 'zod';
import { bare, lenient } from '../../src/lib/mcp.ts';

const schema = z.object({
  issue: z.string(),
  search: z.string().optional(),
  limit: z.number().int().max(50).default(20),
  deep: z.boolean().optional(),
});

async function read(value: unknown): Promise<unknown> {
  const result = await lenient(schema)['~standard'].validate(value);
  return 'value' in result ? result.value : 'refused';
}

it('converts what models write into the types that a tool wants', async () => {
  expect(await read({ issue: 4, search: null, limit: '5', deep: 'true' })).toEqual({
    issue: '4',
    limit: 5,
    deep: true,
  });
  expect(await read({ issue: { text: 'on fire' }, limit: null })).toEqual({
    issue: '{"text":"on fire"}',
    limit: 20,
  });
});

it('refuses what could mean something else', async () => {
  for (const args of [
    {},
    { issue: null },
    { issue: '4', limit: 'many' },
    { issue: '4', limit: '' },
    { issue: '4', limit: '0x10' },
    { issue: '4', limit: true },
    { issue: '4', deep: 'perhaps' },
    [],
    'issue',
  ]) {
    expect(await read(args), JSON.stringify(args)).toBe('refused');
  }
});

it('describes the types without $schema', () => {
  const { jsonSchema } = lenient(schema)['~standard'];
  expect(jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject({
    type: 'object',
    required: ['issue'],
  });
  for (const described of [jsonSchema.input, bare(schema)['~standard'].jsonSchema.output])
    expect(described({ target: 'draft-2020-12' })).not.toHaveProperty('$schema');
});
