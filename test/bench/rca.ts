import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../src/lib/io.ts';
import { recordedSnapshots, type Verdict, verdictOn } from '../../src/tools/rca.ts';
import { grid } from './measure.ts';

/** `answers.json` of a recorded system, which the investigator never reads. */
const AnswersFile = z.record(
  z.string(),
  z.looseObject({
    none: z.boolean().optional(),
    service: z.string().optional(),
    acceptable: z.array(z.string()).optional(),
    change: z.string().nullable().optional(),
    decoys: z.array(z.string()).optional(),
  }),
);
type Answers = z.infer<typeof AnswersFile>;
export type RightAnswer = Answers[string];

interface Judged {
  verdict: Verdict;
  answer: RightAnswer;
  /** Where the cause stands, counted from 0; -1 if it is missing or nothing was found. */
  rank: number;
  /** What rules without any telemetry would say: the service that alerts, and the last change before the alert. */
  alerting: string | null;
  newest: string | null;
}

/** Investigates recorded systems and scores the verdicts: `folder` is one system, or holds several. */
export async function benchRecorded(folder: string): Promise<string> {
  const groups = new Map<string, Judged[]>();
  for (const { name, path } of await systemsIn(folder)) {
    try {
      groups.set(name, [...(groups.get(name) ?? []), ...(await judge(path))]);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      console.error(error.message);
    }
  }
  if (groups.size === 0)
    return `${folder} holds no recorded system: no folder in it has cases.json and answers.json`;
  const all = [...groups.values()].flat();
  return [recordedTable(groups), baselineTable(groups), calibrationTable(all)].join('\n\n');
}

/** Systems that differ in a number alone, such as `rcb-01`, are one line. */
export async function systemsIn(folder: string): Promise<{ name: string; path: string }[]> {
  if (await isFile(join(folder, 'cases.json'))) return [{ name: basename(folder), path: folder }];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: { name: string; path: string }[] = [];
  for (const entry of entries
    .filter((one) => one.isDirectory())
    .sort((a, b) => a.name.localeCompare(b.name))) {
    const path = join(folder, entry.name);
    if (await isFile(join(path, 'cases.json'))) found.push({ name: entry.name.replace(/-\d+$/, ''), path });
  }
  return found;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function judge(folder: string): Promise<Judged[]> {
  const answers = await readAnswers(folder);
  const judged: Judged[] = [];
  for await (const { one, snapshot, ms } of recordedSnapshots(folder)) {
    const answer = answers[one.id];
    if (answer === undefined) continue;
    const began = performance.now();
    const verdict = { ...verdictOn(one, snapshot), ms: Math.round(ms + performance.now() - began) };
    judged.push({
      verdict,
      answer,
      rank: rankOf(verdict, answer),
      alerting: one.service,
      newest: snapshot.changes.findLast(({ at, ref }) => at <= snapshot.trigger && ref !== null)?.ref ?? null,
    });
  }
  return judged;
}

export function rankOf({ found, ranking }: Pick<Verdict, 'found' | 'ranking'>, answer: RightAnswer): number {
  return found ? ranking.findIndex(({ service }) => isRight(service, answer)) : -1;
}

function isRight(service: string | null, { service: right, acceptable = [] }: RightAnswer): boolean {
  return service !== null && [right, ...acceptable].includes(service);
}

export async function readAnswers(folder: string): Promise<Answers> {
  const path = join(folder, 'answers.json');
  try {
    return AnswersFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new OperatorError(`cannot score ${folder}: answers.json is missing or not as expected`, { cause });
  }
}

function recordedTable(groups: ReadonlyMap<string, readonly Judged[]>): string {
  const head = [
    'system',
    'faults',
    'AS@1',
    'AS@3',
    'AS@5',
    'quiet',
    'left in peace',
    'change',
    'decoy',
    'suspects',
    'ms',
  ];
  return grid([head, ...[...groups].map(([name, judged]) => rowOf(name, judged))]);
}

function rowOf(name: string, judged: readonly Judged[]): string[] {
  const faults = judged.filter(({ answer }) => answer.none !== true);
  const quiet = judged.filter(({ answer }) => answer.none === true);
  const within = (places: number) => faults.filter(({ rank }) => rank >= 0 && rank < places).length;
  const changes = faults.filter(({ answer }) => answer.change !== undefined);
  const named = changes.filter(({ answer, verdict }) => verdict.change === answer.change);
  const blamed = changes.filter(({ answer, verdict }) =>
    (answer.decoys ?? []).some((ref) => ref === verdict.change),
  );
  const suspected = changes.map(({ verdict }) => verdict.suspects?.length ?? 0);
  const times = judged.map(({ verdict }) => verdict.ms).sort((a, b) => a - b);
  return [
    name,
    String(faults.length),
    share(within(1), faults.length),
    share(within(3), faults.length),
    share(within(5), faults.length),
    String(quiet.length),
    share(quiet.filter(({ verdict }) => !verdict.found).length, quiet.length),
    share(named.length, changes.length),
    share(blamed.length, changes.length),
    changes.length === 0
      ? ''
      : `${(suspected.reduce((a, b) => a + b, 0) / changes.length).toFixed(1)} (at most ${Math.max(...suspected)})`,
    `${times[Math.floor(times.length / 2)] ?? 0} (at most ${times.at(-1) ?? 0})`,
  ];
}

/** What simple rules reach on the same cases. All of them always answer, so none leaves a quiet case in peace. */
function baselineTable(groups: ReadonlyMap<string, readonly Judged[]>): string {
  const rows = [...groups].map(([name, judged]) => {
    const faults = judged.filter(({ answer }) => answer.none !== true);
    const first = (says: (one: Judged) => string | null) =>
      share(faults.filter((one) => isRight(says(one), one.answer)).length, faults.length);
    const counts = Map.groupBy(faults, ({ answer }) => answer.service ?? null);
    const [constant = null] = [...counts].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
    const changes = faults.filter(({ answer }) => answer.change !== undefined);
    const change = (says: (one: Judged) => string | null | undefined) => {
      const named = changes.filter((one) => says(one) === one.answer.change).length;
      const decoys = changes.filter((one) => one.answer.decoys?.some((ref) => ref === says(one))).length;
      return changes.length === 0 ? '' : `${share(named, changes.length)} ${share(decoys, changes.length)}`;
    };
    return [
      name,
      first(({ verdict }) => verdict.ranking[0]?.service ?? null),
      first(({ alerting }) => alerting),
      first(() => constant),
      change(({ verdict }) => verdict.change),
      change(() => null),
      change(({ newest }) => newest),
    ];
  });
  const head = ['AS@1', 'alerting', 'constant', 'change, decoy', 'name none', 'name the newest'];
  return grid([['baselines', ...head], ...rows]);
}

export function share(part: number, whole: number): string {
  return whole === 0 ? '' : (part / whole).toFixed(3);
}

/** Of those said with so much confidence, so many were right. */
function calibrationTable(judged: readonly Judged[]): string {
  const said = judged
    .filter(({ verdict }) => verdict.found)
    .map(({ verdict, rank }) => ({ confidence: verdict.ranking[0]?.confidence ?? 0, right: rank === 0 }));
  const bands = [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
    const inside = said.filter(
      ({ confidence }) => confidence >= from && (confidence < from + 0.2 || from === 0.8),
    );
    return [
      `${from.toFixed(1)} to ${(from + 0.2).toFixed(1)}`,
      String(inside.length),
      share(inside.filter(({ right }) => right).length, inside.length),
    ];
  });
  return grid([['confidence', 'said', 'right'], ...bands]);
}
