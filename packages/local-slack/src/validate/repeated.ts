import type { Fault } from './explain.ts';

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
