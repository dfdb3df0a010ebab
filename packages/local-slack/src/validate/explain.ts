import type { z } from 'zod';
import { SlackError } from '../errors.ts';

type Issue = z.core.$ZodIssue;

/** The allowed values, where Slack knows none like the one it got. */
interface EnumConstraint {
  type: 'enum';
  expected: string[];
  got: string;
}

/** What Slack says of one fault, with the place as a JSON pointer. */
export interface Fault {
  message: string;
  path: readonly PropertyKey[];
  constraint?: EnumConstraint | undefined;
}

/** A fault as `blocks.validate` reports it. */
export interface PointedFault {
  pointer: string;
  code: string;
  message: string;
  constraint?: EnumConstraint | undefined;
}

/** A refusal of blocks or of a view, with each of its faults. */
export class ContentError extends SlackError {
  override name = 'ContentError';
  readonly faults: readonly PointedFault[];

  constructor(code: string, faults: readonly PointedFault[]) {
    const lines = faults.map(({ message, pointer }) => `${message} [json-pointer:${pointer}]`);
    super(code, { errors: lines, response_metadata: { messages: lines.map((text) => `[ERROR] ${text}`) } });
    this.faults = faults;
  }
}

const fault = (message: string, path: readonly PropertyKey[]): Fault => ({ message, path });

function notAmong(
  message: string,
  path: readonly PropertyKey[],
  options: readonly unknown[] | undefined,
  got: unknown,
): Fault {
  const expected = (options ?? []).map(String).sort();
  return { message, path, constraint: { type: 'enum', expected, got: String(got) } };
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  if (issue.origin === 'string') return `must be less than ${Number(issue.maximum) + 1} characters`;
  if (issue.origin === 'array') return `no more than ${issue.maximum} items allowed`;
  return `must be at most ${issue.maximum}`;
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if (issue.origin === 'string') return `must be more than ${Number(issue.minimum) - 1} characters`;
  if (issue.origin === 'array') return `must have at least ${issue.minimum} items`;
  return issue.inclusive ? `must be at least ${issue.minimum}` : `must be more than ${issue.minimum}`;
}

/** An invalid value's own type, if it has one: `unsupported type: foo`. */
function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    root,
  );
}

/** Slack's words for what zod found in `root`. */
export function faultsOf(error: z.ZodError, root: unknown): Fault[] {
  return error.issues.flatMap((issue) => {
    switch (issue.code) {
      case 'too_big':
        return fault(tooBig(issue), issue.path);
      case 'too_small':
        return fault(tooSmall(issue), issue.path);
      case 'unrecognized_keys':
        return issue.keys.map((key) => fault(`invalid additional property: ${key}`, issue.path));
      case 'invalid_union': {
        const type = valueAt(root, issue.path);
        if (type === undefined) return fault('missing required field: type', issue.path.slice(0, -1));
        const options = 'options' in issue ? issue.options : undefined;
        return notAmong(`unsupported type: ${String(type)}`, issue.path, options, type);
      }
      case 'invalid_type':
        if (valueAt(root, issue.path) === undefined && issue.path.length > 0) {
          return fault(`missing required field: ${String(issue.path.at(-1))}`, issue.path.slice(0, -1));
        }
        return fault(`must provide ${issue.expected === 'array' ? 'an' : 'a'} ${issue.expected}`, issue.path);
      case 'invalid_value': {
        const got = valueAt(root, issue.path);
        if (got === undefined) return fault('must be a valid enum value', issue.path);
        return notAmong('must be a valid enum value', issue.path, issue.values, got);
      }
      case 'custom':
        return fault(issue.message, issue.path);
      default:
        return fault('must be a valid enum value', issue.path);
    }
  });
}

/** The refusal for faulty blocks or views: `errors`, and the same in `response_metadata.messages`. */
export function refusalFor(code: string, faults: readonly Fault[], prefix: string): ContentError {
  return new ContentError(
    code,
    faults.map(({ message, path, constraint }) => ({
      pointer: prefix + path.map((key) => `/${String(key)}`).join(''),
      code: 'failed_constraint',
      message,
      ...(constraint && { constraint }),
    })),
  );
}

type Path = readonly PropertyKey[];

/** Something with an id, and its place. */
interface Named {
  value: unknown;
  path: Path;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** What is in a list below a value, with its place. */
const below = ({ value, path }: Named, key: string): Named[] =>
  list(at(value, key)).map((item, index) => ({ value: item, path: [...path, key, index] }));

/** A block, and those that it holds: of a container, the cards of a carousel, the tasks of a plan. */
function withInner(block: Named): Named[] {
  const cards = at(block.value, 'type') === 'carousel' ? below(block, 'elements') : [];
  const inner = [...cards, ...below(block, 'child_blocks'), ...below(block, 'tasks')];
  return [block, ...inner.flatMap(withInner)];
}

/** A fault for each id that was there before. */
function twice(named: readonly Named[], key: 'block_id' | 'action_id'): Fault[] {
  const seen = new Set<unknown>();
  return named.flatMap(({ value, path }) => {
    const id = at(value, key);
    if (id === undefined || id === '') return [];
    if (seen.has(id)) return { message: `\`${key}\` ${String(id)} already exists`, path: [...path, key] };
    seen.add(id);
    return [];
  });
}

/** Ids that Slack wants to be unique: a block's in its message, an action's in its block. */
export function repeated(blocks: readonly object[]): Fault[] {
  const all = blocks.flatMap((value, index) => withInner({ value, path: [index] }));
  const inBlocks = all.flatMap((block) =>
    twice([...below(block, 'elements'), ...below(block, 'actions')], 'action_id'),
  );
  return [...twice(all, 'block_id'), ...inBlocks];
}
