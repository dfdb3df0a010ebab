import { systemClock } from '../lib/clock.ts';
import { type Command, OperatorError, processIo } from '../lib/io.ts';
import { withoutSecrets } from '../lib/redact.ts';
import { blamedChange } from '../service/investigation/ranking/blamed-change.ts';
import { rankCauses } from '../service/investigation/ranking/rank.ts';
import { createBudget } from '../service/telemetry/budget.ts';
import { collect } from '../service/telemetry/collect.ts';
import {
  type RecordedCase,
  readCases,
  readRecording,
  recordedSource,
} from '../service/telemetry/recorded/recording.ts';
import type { TelemetrySource } from '../service/telemetry/source.ts';
import type { Snapshot } from '../service/telemetry/view.ts';

const USAGE = 'usage: npm run -s rca -- FOLDER   (a recorded system: it holds system.json and cases.json)';

/** `npm run -s rca -- FOLDER`: investigates recorded cases, and prints a line of JSON for each. @returns the exit code */
export const rca: Command = withoutSecrets(async (words, _env, io) => {
  const [folder] = words;
  if (folder === undefined || folder.startsWith('-') || words.length > 1) {
    io.err(USAGE);
    return 2;
  }
  try {
    for await (const verdict of verdicts(folder)) io.out(JSON.stringify(verdict));
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
  /** Milliseconds that it took, without reading the folder. */
  ms: number;
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
  const cases = await readCases(folder);
  const source = recordedSource(await readRecording(folder));
  for (const one of cases) {
    const began = performance.now();
    const snapshot = await snapshotOf(source, one);
    const ranked = rankCauses(snapshot, one);
    const { found, ranking } = ranked;
    yield {
      case: one.id,
      found,
      ranking: ranking.map(({ service, kind, score }) => ({
        service,
        kind,
        confidence: Math.round(score * 1000) / 1000,
      })),
      ...(found && snapshot.changes.some(({ ref }) => ref !== null)
        ? { change: blamedChange(snapshot, one, ranked)?.change.ref ?? null }
        : {}),
      ms: Math.round(performance.now() - began),
    };
  }
}

async function snapshotOf(source: TelemetrySource, { triggeredAt, title }: RecordedCase): Promise<Snapshot> {
  const budget = createBudget(LIMITS, { clock: systemClock });
  try {
    return await collect(
      source,
      {
        window: { from: triggeredAt - DENSE, to: triggeredAt + 1 },
        trigger: triggeredAt,
        stepMs: STEP,
        pastMs: PAST,
        alert: { name: title, labels: {} },
        interest: () => null,
      },
      budget,
    );
  } finally {
    budget.end();
  }
}

if (import.meta.main) process.exitCode = await rca(process.argv.slice(2), process.env, processIo);
