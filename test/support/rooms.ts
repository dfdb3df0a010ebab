import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { projectRoot } from './files.ts';
import { readTree } from './imports.ts';

/** What tells how a folder of `src` reads. */
export interface Room {
  lines: number;
  /** Regular expressions, literal or made. */
  expressions: number;
  /** Files that one other file imports. */
  oneImporter: number;
  /** Functions of more than seven returns. */
  manyReturns: number;
}

export type Rooms = Readonly<Record<string, Room>>;

const MOST_RETURNS = 7;
export const TABLE = join(projectRoot, 'test', 'support', 'rooms.json');

/** `bot/slack` of `bot/slack/features/home.ts`, and `lib` of `lib/text.ts`: a file beside folders belongs to what holds them. */
function roomOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  const isFolder = path.split('/').length > 2;
  return top.includes('.')
    ? 'src'
    : (top === 'bot' || top === 'service') && isFolder
      ? `${top}/${second}`
      : top;
}

/** Measures each room below a root, in the order of their names. */
export function measureRooms(root = join(projectRoot, 'src')): Rooms {
  const tree = readTree(root);
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of tree.imports) importers.set(to, (importers.get(to) ?? new Set()).add(from));
  const rooms: Record<string, Room> = {};
  for (const path of tree.files) {
    const text = readFileSync(join(root, path), 'utf8');
    const { expressions, returns } = countIn(parseSync(path, text).program);
    const name = roomOf(path);
    const room = rooms[name] ?? { lines: 0, expressions: 0, oneImporter: 0, manyReturns: 0 };
    rooms[name] = {
      lines: room.lines + text.split('\n').length - 1,
      expressions: room.expressions + expressions,
      oneImporter: room.oneImporter + (importers.get(path)?.size === 1 ? 1 : 0),
      manyReturns: room.manyReturns + returns.filter((count) => count > MOST_RETURNS).length,
    };
  }
  return Object.fromEntries(Object.entries(rooms).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @returns the returns of each function, without those of the functions in it */
function countIn(program: unknown): { expressions: number; returns: number[] } {
  const found: { expressions: number; returns: number[] } = { expressions: 0, returns: [] };
  const walk = (node: unknown, within: number): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, within);
    if (typeof node !== 'object' || node === null || !('type' in node)) return;
    const { type } = node;
    if (type === 'Literal' && 'regex' in node) found.expressions += 1;
    if ((type === 'NewExpression' || type === 'CallExpression') && 'callee' in node && isRegExp(node.callee))
      found.expressions += 1;
    if (type === 'ReturnStatement') found.returns[within] = (found.returns[within] ?? 0) + 1;
    const isFunction = typeof type === 'string' && type.includes('Function') && 'body' in node;
    const own = isFunction ? found.returns.push(0) - 1 : within;
    for (const inside of Object.values(node)) walk(inside, own);
  };
  walk(program, found.returns.push(0) - 1);
  return found;
}

function isRegExp(callee: unknown): boolean {
  return typeof callee === 'object' && callee !== null && 'name' in callee && callee.name === 'RegExp';
}

const MEASURES: Readonly<Record<string, (room: Room) => number>> = {
  'regular expressions per 1,000 lines': ({ expressions, lines }) =>
    Math.round((10_000 * expressions) / lines) / 10,
  'files of one importer': ({ oneImporter }) => oneImporter,
  'functions of more than seven returns': ({ manyReturns }) => manyReturns,
};

/** What is worse than it was, in sentences. A room may lose lines: expressions are denser only where there are more of them. */
export function worseRooms(was: Rooms, now: Rooms): string[] {
  return Object.entries(now).flatMap(([name, room]) => {
    const before = was[name] ?? { lines: 1, expressions: 0, oneImporter: 0, manyReturns: 0 };
    const lines = room.expressions > before.expressions ? room.lines : Number.POSITIVE_INFINITY;
    return Object.entries(MEASURES).flatMap(([what, of]) =>
      of({ ...room, lines }) > of(before) ? [`${name} has ${of(room)} ${what} (${of(before)} before)`] : [],
    );
  });
}

/** The measures as people read them. */
export function shownRooms(rooms: Rooms): Record<string, Record<string, number>> {
  const shown = (room: Room) =>
    Object.entries(MEASURES).map(([what, of]): [string, number] => [what, of(room)]);
  return Object.fromEntries(
    Object.entries(rooms).map(([name, room]) => [name, Object.fromEntries(shown(room))]),
  );
}

if (import.meta.main) writeFileSync(TABLE, `${JSON.stringify(measureRooms(), null, 2)}\n`);
