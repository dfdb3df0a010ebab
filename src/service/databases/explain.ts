import { timeOfDay } from '../investigation/format.ts';
import { command, type DatabaseFact, type DatabaseStep } from './fact.ts';
import { deedOf, type InsideChange } from './fingerprint.ts';
import { lastPart } from './normalize.ts';

/** Kinds that an index explains. */
const READS: ReadonlySet<DatabaseFact['kind']> = new Set([
  'statement-slower',
  'statement-heavy',
  'sequential-scans',
]);

/**
 * The facts, with the change inside that is shown to be behind them: an index that went, of the table which is now read
 * whole, or by the statement that slowed. What they say of the same table becomes one fact.
 */
export function explained(facts: readonly DatabaseFact[], changes: readonly InsideChange[]): DatabaseFact[] {
  const dropped = changes.flatMap((change) => {
    const [, index, table] = /^(.+) on (.+)$/u.exec(change.name) ?? [];
    return change.part === 'index' && change.is === null && index !== undefined && table !== undefined
      ? [{ change, table: lastPart(table) }]
      : [];
  });
  const done = new Set<DatabaseFact>();
  const joined: DatabaseFact[] = [];
  for (const { change, table } of dropped) {
    // One that was made again under another name is not missed.
    const isBack = changes.some(
      (other) =>
        other.part === 'index' &&
        other.was === null &&
        other.name.endsWith(` on ${table}`) &&
        other.after >= change.after,
    );
    const hit = facts.filter(
      (fact) => READS.has(fact.kind) && fact.tables?.includes(table) && !done.has(fact),
    );
    const [first] = hit.toSorted(
      (a, b) => Number(b.statement !== undefined) - Number(a.statement !== undefined),
    );
    if (first === undefined || isBack) continue;
    for (const fact of hit) done.add(fact);
    const when = `between ${timeOfDay(change.after)} and ${timeOfDay(change.before)}`;
    joined.push({
      ...first,
      object: change.name.slice(0, change.name.indexOf(' on ')),
      since: change.after,
      weight: 0.9,
      sentence: `The ${deedOf(change)} ${when}, and what used it is slow: ${hit.map(({ sentence }) => sentence).join(' ')}`,
      steps: [...recreate(change), ...first.steps],
    });
  }
  return [...joined, ...facts.filter((fact) => !done.has(fact))];
}

/** The command that makes a dropped index again, where its definition is known without literals. */
function recreate({ was, name }: InsideChange): DatabaseStep[] {
  if (was === null || !/^create (?:unique )?index /iu.test(was) || /[?…`;]/u.test(was)) return [];
  const index = name.slice(0, name.indexOf(' on '));
  return [
    command(
      'Create the index again',
      `${was.replace(/^(create (?:unique )?index) /iu, '$1 CONCURRENTLY ')};`,
      `Blocks no writes; takes as long as reading the table. Undo with: drop index concurrently ${index};`,
    ),
  ];
}
