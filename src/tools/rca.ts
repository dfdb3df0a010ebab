import { systemClock } from '../lib/clock.ts';
import { type Command, OperatorError, processIo } from '../lib/io.ts';
import { withoutSecrets } from '../lib/redact.ts';
import { caseFor } from '../service/investigation/pipeline.ts';
import { blamedChange, type ChangeVerdict } from '../service/investigation/ranking/blamed-change.ts';
import { rankCauses } from '../service/investigation/ranking/rank.ts';
import type { Traced } from '../service/investigation/trace.ts';
import { explain } from '../service/kubernetes/explain.ts';
import { readClusters } from '../service/kubernetes/recorded.ts';
import { onBudget } from '../service/telemetry/budget.ts';
import { collect } from '../service/telemetry/collect.ts';
import {
  type RecordedCase,
  readCases,
  readRecording,
  recordedSource,
} from '../service/telemetry/recorded/recording.ts';
import type { TelemetrySource } from '../service/telemetry/source.ts';
import type { Snapshot } from '../service/telemetry/view.ts';

const USAGE = `usage: npm run -s rca -- [--trace] FOLDER      (a recorded system: it holds system.json and cases.json)
       npm run -s rca -- --kubernetes FOLDER   (recorded clusters: it holds cases.ndjson.gz)`;

/**
 * `npm run -s rca -- FOLDER`: investigates recorded cases; `--trace FOLDER`: with what each step of the pipeline found;
 * `--kubernetes FOLDER`: recorded clusters. Prints a line of JSON for each. @returns the exit code
 */
export const rca: Command = withoutSecrets(async (words, _env, io) => {
  const isCluster = words[0] === '--kubernetes';
  const isTraced = words[0] === '--trace';
  const [folder, ...more] = isCluster || isTraced ? words.slice(1) : words;
  if (folder === undefined || folder.startsWith('-') || more.length > 0) {
    io.err(USAGE);
    return 2;
  }
  try {
    for await (const verdict of isCluster
      ? clusterVerdicts(folder)
      : isTraced
        ? traces(folder)
        : verdicts(folder))
      io.out(JSON.stringify(verdict));
    return 0;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    io.err(error.message);
    return 1;
  }
});

/** What the investigator says of one recorded case. */
export interface Verdict {
  case: string;
  /** False: nothing is wrong that it can show. */
  found: boolean;
  /** Most likely first. */
  ranking: { service: string; kind: string; confidence: number }[];
  /** The change that is to blame; null where none is, missing if there are no changes to choose from. */
  change?: string | null;
  /** Changes shortly before that are not proven to be the cause, the likeliest first; missing if there are none. */
  suspects?: string[];
  /** Milliseconds that it took, without reading the folder. */
  ms: number;
}

/** What the checks of a cluster's state say of one recorded cluster. */
interface ClusterVerdict {
  case: string;
  found: boolean;
  /** Most likely first, each object once. */
  ranking: { object: string; cause: string; confidence: number }[];
  ms: number;
}

/**
 * Judges the recorded clusters of a folder, each by itself.
 * @throws OperatorError that names the file which cannot be read.
 */
export async function* clusterVerdicts(folder: string): AsyncGenerator<ClusterVerdict> {
  for await (const { id, snapshot } of readClusters(folder)) {
    const began = performance.now();
    const byObject = new Map(
      explain(snapshot)
        .toReversed()
        .map((finding) => [finding.object, finding]),
    );
    const ranking = [...byObject.values()]
      .toSorted((a, b) => b.confidence - a.confidence)
      .slice(0, 5)
      .map(({ object, cause, confidence }) => ({
        object,
        cause,
        confidence: Math.round(confidence * 1000) / 1000,
      }));
    yield { case: id, found: ranking.length > 0, ranking, ms: Math.round(performance.now() - began) };
  }
}

const HOUR = 3_600_000;
/** Read densely before the trigger, and the past of each series behind it. */
const DENSE = 12 * HOUR;
const PAST = 7 * 24 * HOUR;
const STEP = 60_000;
/** Files cost nobody anything, so the limits are those of this machine. */
const LIMITS = { requests: 10_000, ms: 120_000, samples: 20_000_000 };

/**
 * Investigates the cases of a recorded system, each by itself and standing at its trigger.
 * @throws OperatorError that names the file which cannot be read.
 */
export async function* verdicts(folder: string): AsyncGenerator<Verdict> {
  for await (const { one, snapshot, ms } of recordedSnapshots(folder)) {
    const began = performance.now();
    yield { ...verdictOn(one, snapshot), ms: Math.round(ms + performance.now() - began) };
  }
}

/** What was recorded before each case's trigger, and how long it took to select. */
export async function* recordedSnapshots(
  folder: string,
): AsyncGenerator<{ one: RecordedCase; snapshot: Snapshot; ms: number }> {
  const cases = await readCases(folder);
  const source = recordedSource(await readRecording(folder));
  for (const one of cases) {
    const began = performance.now();
    const snapshot = await snapshotOf(source, one);
    yield { one, snapshot, ms: performance.now() - began };
  }
}

function changeOf({ blamed, suspects }: ChangeVerdict): Pick<Verdict, 'change' | 'suspects'> {
  const refs = suspects.flatMap(({ ref }) => ref ?? []);
  return { change: blamed?.change.ref ?? null, ...(refs.length > 0 ? { suspects: refs } : {}) };
}

/** @param ranker the ranking, unless it is to be compared with another */
export function verdictOn(
  one: RecordedCase,
  snapshot: Snapshot,
  ranker = { rankCauses, blamedChange },
): Omit<Verdict, 'ms'> {
  const ranked = ranker.rankCauses(snapshot, one);
  const { found, ranking } = ranked;
  return {
    case: one.id,
    found,
    ranking: ranking.map(({ service, kind, score }) => ({
      service,
      kind,
      confidence: Math.round(score * 1000) / 1000,
    })),
    ...(found && snapshot.changes.some(({ ref }) => ref !== null)
      ? changeOf(ranker.blamedChange(snapshot, one, ranked))
      : {}),
  };
}

/** Each case's way through the pipeline, as the service goes it. */
async function* traces(folder: string): AsyncGenerator<{ case: string; trace: readonly Traced[] }> {
  const source = recordedSource(await readRecording(folder));
  for (const one of await readCases(folder)) {
    const issue = { ...one, environment: 'recorded', context: {} };
    const { trace } = await onBudget(LIMITS, { clock: systemClock }, (budget) =>
      caseFor(issue, { source, budget, now: one.triggeredAt, copy: {} }),
    );
    yield { case: one.id, trace };
  }
}

function snapshotOf(source: TelemetrySource, { triggeredAt, title }: RecordedCase): Promise<Snapshot> {
  const asked = {
    window: { from: triggeredAt - DENSE, to: triggeredAt + 1 },
    trigger: triggeredAt,
    stepMs: STEP,
    pastMs: PAST,
    alert: { name: title, labels: {} },
    interest: () => null,
  };
  return onBudget(LIMITS, { clock: systemClock }, (budget) => collect(source, asked, budget));
}

if (import.meta.main) process.exitCode = await rca(process.argv.slice(2), process.env, processIo);
