import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { OperatorError } from '../../../lib/operator-error.ts';

/** Whether a folder has a file. */
async function exists(folder: string, name: string): Promise<boolean> {
  return access(join(folder, name)).then(
    () => true,
    () => false,
  );
}

/**
 * One JSON document, validated.
 * @throws OperatorError that names the file and the problem.
 */
export async function readJson<T extends z.ZodType>(
  folder: string,
  name: string,
  schema: T,
): Promise<z.infer<T>> {
  const path = join(folder, name);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  });
  const parsed = schema.safeParse(parseJson(text, path));
  if (parsed.success) return parsed.data;
  throw new OperatorError(`${path} is not as expected: ${issueOf(parsed.error)}`);
}

/**
 * The lines of a file below `name` or `name.gz`, in batches as they are read; none if there is no such file. Batches
 * matter: a recording has a million lines.
 * @throws OperatorError that names the file.
 */
async function* readLines(folder: string, name: string): AsyncGenerator<string[]> {
  const packed = await exists(folder, `${name}.gz`);
  if (!packed && !(await exists(folder, name))) return;
  const path = join(folder, packed ? `${name}.gz` : name);
  const file = createReadStream(path);
  const stream = packed ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => stream.destroy(error));
  stream.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of stream) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
  } catch (cause) {
    throw new OperatorError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
  if (rest !== '') yield [rest];
}

/** One object per line of NDJSON, validated; invalid lines are left out and counted in `bad`. */
export async function readNdjson<T extends z.ZodType>(
  folder: string,
  name: string,
  schema: T,
  take: (row: z.infer<T>) => void,
): Promise<{ bad: number }> {
  let bad = 0;
  for await (const lines of readLines(folder, name)) {
    for (const line of lines) {
      if (line === '') continue;
      const parsed = schema.safeParse(jsonOrNull(line));
      if (parsed.success) take(parsed.data);
      else bad++;
    }
  }
  return { bad };
}

/**
 * The rows of a CSV file by the column names in its first line; `take` gets a row's cells in the order of `columns`.
 */
export async function readCsv(
  folder: string,
  name: string,
  columns: readonly string[],
  take: (cells: readonly string[]) => void,
): Promise<void> {
  let order: number[] | null = null;
  for await (const lines of readLines(folder, name)) {
    for (const line of lines) {
      if (line === '') continue;
      const cells = cellsOf(line);
      if (order === null) {
        order = columns.map((column) => cells.indexOf(column));
        const missing = columns.filter((_, index) => order?.[index] === -1);
        if (missing.length > 0)
          throw new OperatorError(`${join(folder, name)} has no column ${missing.join(', ')}`);
      } else take(order.map((index) => cells[index] ?? ''));
    }
  }
}

function cellsOf(line: string): string[] {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (!text.includes('"')) return text.split(',');
  const cells: string[] = [];
  for (const [, quoted, plain] of text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
  }
  return cells;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OperatorError(`${path} is not JSON`, { cause });
  }
}

function jsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'unknown' : `${issue.path.join('.') || 'the document'}: ${issue.message}`;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
