import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import './zod-words.ts';

type JsonSchema = Record<string, unknown>;
type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

const Described = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

/**
 * The schema of a tool's input as clients fill it in: models send `null` for what they leave out, a number where digits in
 * text are wanted and the reverse, and an object where a text holds JSON. The values are converted before they are checked,
 * so every tool sees its own types. Its JSON schema carries no `$schema`, which some clients refuse.
 */
export function lenient(schema: z.ZodObject): StandardSchemaWithJSON<unknown, Record<string, unknown>> {
  const { properties, required } = Described.parse(z.toJSONSchema(schema, { io: 'input' }));
  const fitted = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, one]) => one !== null || required.includes(key))
        .map(([key, one]) => [key, converted(one, properties[key]?.type)]),
    );
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'gumshoe',
      validate: (value) => schema['~standard'].validate(fitted(value)),
      jsonSchema: describing(schema),
    },
  };
}

/** The schema of a tool's answer, described without `$schema`. */
export function bare(schema: z.ZodObject): StandardSchemaWithJSON<unknown, Record<string, unknown>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'gumshoe',
      validate: (value) => schema['~standard'].validate(value),
      jsonSchema: describing(schema),
    },
  };
}

function describing(schema: z.ZodObject) {
  const describe = (io: 'input' | 'output'): JsonSchema => {
    const { $schema: _, ...described } = z.toJSONSchema(schema, { io });
    return described;
  };
  return { input: () => describe('input'), output: () => describe('output') };
}

/** The value as the wanted type where that is certain; else as it came, for the schema to refuse. */
function converted(value: unknown, wanted: JsonType | string | undefined): unknown {
  if (wanted === 'string') {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  }
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (wanted === 'number' || wanted === 'integer')
    return /^[+-]?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : value;
  if (wanted === 'boolean') return text === 'true' ? true : text === 'false' ? false : value;
  return value;
}
