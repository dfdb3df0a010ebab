import { z } from 'zod';
import { isJsonObject } from '../../lib/json.ts';

/** The value, with the paths of what was dropped from it, or the field that makes it unusable. */
type Decoded<T> = { ok: true; value: T; dropped: string[] } | { ok: false; field: string; problem: string };

/** This many dropped parts are listed by path; the others are only counted. */
const MAX_NAMED = 10;
/** An answer with more unusable parts is rejected: what would be left of it says nothing. */
const MAX_DROPPED = 1_000;

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];
/** What is left of a value, or the path that makes it unusable. */
type Rest = { ok: true; value: unknown } | { ok: false; path: Path; schema: Schema; found: unknown };

/**
 * Reads external data with a schema, and drops as little as possible: an optional field that is `null` or of the wrong
 * type, and an element of a list that lacks a required field. Dropped parts are reported by path (`data.3`); a `null`
 * counts as missing and is not reported. Only a required field outside every list makes the whole unusable. Each value
 * is visited once, and only the first problem of an unusable one is kept: a large answer that is all wrong costs no
 * more than a correct one.
 */
export function decode<S extends z.ZodType>(schema: S, input: unknown): Decoded<z.infer<S>> {
  const dropped = new Dropped();
  const rest = usable(schema, input, [], dropped);
  if (dropped.isTooMuch()) {
    const problem = `more than ${MAX_DROPPED} parts of it are unusable`;
    return { ok: false, field: name(dropped.last), problem };
  }
  if (!rest.ok) return { ok: false, field: name(rest.path), problem: problemOf(rest.schema, rest.found) };
  const result = schema.safeParse(rest.value);
  if (result.success) return { ok: true, value: result.data, dropped: dropped.paths() };
  return {
    ok: false,
    field: name(result.error.issues[0]?.path ?? []),
    problem: problemOf(schema, rest.value),
  };
}

/** The usable part of a value. Lists and objects are taken apart here; the schema judges everything else. */
function usable(schema: Schema, value: unknown, path: Path, dropped: Dropped): Rest {
  if (schema instanceof z.ZodOptional) return usable(schema.unwrap(), value, path, dropped);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return { ok: true, value: usableElements(schema.element, value, path, dropped) };
  }
  if (schema instanceof z.ZodObject && isJsonObject(value)) {
    if (isComplete(schema, value) && isFlat(value) && fits(schema, value)) return { ok: true, value };
    return usableFields(fieldsOf(schema), value, path, dropped);
  }
  if (schema instanceof z.ZodRecord && isJsonObject(value)) {
    return { ok: true, value: usableEntries(schema.valueType, value, path, dropped) };
  }
  return fits(schema, value) ? { ok: true, value } : { ok: false, path, schema, found: value };
}

/** Whether the schema accepts a value as it is, without the reasons why not. */
function fits(schema: Schema, value: unknown): boolean {
  const result = schema._zod.run({ value, issues: [] }, { async: false });
  return !(result instanceof Promise) && result.issues.length === 0;
}

function problemOf(schema: Schema, value: unknown): string {
  return z.core.safeParse(schema, value).error?.issues[0]?.message ?? 'cannot be read';
}

function isComplete(schema: z.ZodObject, value: Record<string, unknown>): boolean {
  return fieldsOf(schema).every(({ key, isOptional }) => isOptional || Object.hasOwn(value, key));
}

function isFlat(value: Record<string, unknown>): boolean {
  return Object.values(value).every((field) => typeof field !== 'object' || field === null);
}

function usableEntries(
  schema: Schema,
  value: Record<string, unknown>,
  path: Path,
  dropped: Dropped,
): Record<string, unknown> {
  if (schema instanceof z.ZodUnknown) return value;
  const entries = Object.entries(value).filter(([key, entry]) => {
    const isUsable = fits(schema, entry);
    if (!isUsable && entry !== null) dropped.add([...path, key]);
    return isUsable;
  });
  return Object.fromEntries(entries);
}

function usableElements(schema: Schema, list: unknown[], path: Path, dropped: Dropped): unknown[] {
  const kept: unknown[] = [];
  for (const [index, element] of list.entries()) {
    const place = [...path, index];
    const mark = dropped.mark();
    const rest = usable(schema, element, place, dropped);
    if (rest.ok) {
      kept.push(rest.value);
    } else {
      dropped.backTo(mark);
      if (element !== null) dropped.add(place);
      if (dropped.isTooMuch()) return kept;
    }
  }
  return kept;
}

interface Field {
  key: string;
  schema: Schema;
  isOptional: boolean;
}
const known = new WeakMap<Schema, Field[]>();

/** Required fields come first, so that an object without one is rejected early. */
function fieldsOf(schema: z.ZodObject): Field[] {
  const before = known.get(schema);
  if (before) return before;
  const fields = Object.entries(schema.shape)
    .map(([key, field]) => ({ key, schema: field, isOptional: field instanceof z.ZodOptional }))
    .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional));
  known.set(schema, fields);
  return fields;
}

function usableFields(
  fields: readonly Field[],
  value: Record<string, unknown>,
  path: Path,
  dropped: Dropped,
): Rest {
  const kept = { ...value };
  for (const { key, schema, isOptional } of fields) {
    const place = [...path, key];
    if (isOptional && !Object.hasOwn(value, key)) continue;
    const mark = dropped.mark();
    const rest = usable(schema, Object.hasOwn(value, key) ? value[key] : undefined, place, dropped);
    if (rest.ok) {
      kept[key] = rest.value;
    } else if (isOptional) {
      dropped.backTo(mark);
      delete kept[key];
      if (value[key] != null) dropped.add(place);
    } else {
      return rest;
    }
  }
  return { ok: true, value: kept };
}

/** What was dropped: the first few by path, the others by number. */
class Dropped {
  readonly #named: string[] = [];
  #count = 0;
  last: Path = [];

  add(path: Path): void {
    this.#count += 1;
    this.last = path;
    if (this.#named.length < MAX_NAMED) this.#named.push(name(path));
  }

  isTooMuch(): boolean {
    return this.#count > MAX_DROPPED;
  }

  mark(): number {
    return this.#count;
  }

  /** Forgets what was added since: the value that contains it is dropped as a whole. */
  backTo(mark: number): void {
    this.#count = mark;
    this.#named.length = Math.min(this.#named.length, mark);
  }

  paths(): string[] {
    const more = this.#count - this.#named.length;
    return more > 0 ? [...this.#named, `… and ${more} more`] : [...this.#named];
  }
}

function name(path: Path): string {
  return path.map(String).join('.') || '(the whole answer)';
}
