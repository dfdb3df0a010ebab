import type { z } from 'zod';
import { isJsonObject } from './json.ts';

/** Either the value, with the paths of what was left out to get it, or the field that makes it unusable. */
export type Decoded<T> =
  | { ok: true; value: T; dropped: string[] }
  | { ok: false; field: string; problem: string };

type Path = readonly PropertyKey[];

/**
 * Reads external data with a schema, and loses as little of it as it can: an optional field that is `null`
 * or of the wrong kind is left out; an element of a list that lacks what it needs is left out, and the others
 * stay. What was left out is reported by its path (`data.3`); a `null` counts as missing and is not reported.
 * Only a required field outside every list makes the whole unusable.
 */
export function decode<S extends z.ZodType>(schema: S, input: unknown): Decoded<z.infer<S>> {
  let result = schema.safeParse(input);
  if (result.success) return { ok: true, value: result.data, dropped: [] };
  const root: unknown = structuredClone(input);
  const problems = new Map<string, string>();
  const dropped = new Set<string>();
  // Each round takes something out, so it ends. Fields go before elements: what is then missing was required.
  while (!result.success) {
    const { issues } = result.error;
    for (const issue of issues) {
      const path = name(issue.path);
      if (!problems.has(path)) problems.set(path, issue.message);
    }
    const fields = issues.filter((issue) => isField(root, issue.path));
    if (fields.length > 0) {
      for (const { path } of fields) if (removeField(root, path) !== null) dropped.add(name(path));
    } else {
      const stuck = removeElements(
        root,
        issues.map((issue) => issue.path),
        dropped,
      );
      if (stuck !== null) return { ok: false, field: stuck, problem: problems.get(stuck) ?? 'is missing' };
    }
    result = schema.safeParse(root);
  }
  return { ok: true, value: result.data, dropped: [...dropped] };
}

function isField(root: unknown, path: Path): boolean {
  const parent = at(root, path.slice(0, -1));
  const key = path.at(-1);
  return isJsonObject(parent) && typeof key === 'string' && Object.hasOwn(parent, key);
}

/** Answers what stood there. */
function removeField(root: unknown, path: Path): unknown {
  const parent = at(root, path.slice(0, -1));
  const key = path.at(-1);
  if (!isJsonObject(parent) || typeof key !== 'string') return null;
  const was = parent[key];
  delete parent[key];
  return was ?? null;
}

/** Takes out the innermost list element around each path; answers the first path that is in no list. */
function removeElements(root: unknown, paths: Path[], dropped: Set<string>): string | null {
  const doomed = new Map<unknown[], Set<number>>();
  for (const path of paths) {
    const end = path.findLastIndex((key) => typeof key === 'number');
    const list = at(root, path.slice(0, Math.max(end, 0)));
    const index = path[end];
    if (!Array.isArray(list) || typeof index !== 'number') return name(path);
    const element = name(path.slice(0, end + 1));
    for (const reported of dropped) if (reported.startsWith(`${element}.`)) dropped.delete(reported);
    if (list[index] !== null) dropped.add(element);
    const indices = doomed.get(list);
    if (indices === undefined) doomed.set(list, new Set([index]));
    else indices.add(index);
  }
  for (const [list, indices] of doomed) {
    list.splice(0, list.length, ...list.filter((_, index) => !indices.has(index)));
  }
  return null;
}

function at(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value) && typeof key === 'number') value = value[key];
    else if (isJsonObject(value) && typeof key === 'string') value = value[key];
    else return undefined;
  }
  return value;
}

function name(path: Path): string {
  return path.map(String).join('.') || '(the whole answer)';
}
