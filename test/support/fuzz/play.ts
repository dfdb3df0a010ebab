import type { Clock } from '../../../src/lib/clock.ts';
import { chanceFrom } from '../chaos/random.ts';
import type { Surroundings } from '../program.ts';
import { doEverything, withEveryId } from './corpus.ts';
import { faultsOf, startEnvironment } from './environment.ts';
import { nameOf, type Payload } from './payload.ts';
import type { Program } from './program.ts';
import { startRecorder } from './recorder.ts';
import { shoot, shotFrom } from './send.ts';

const AT_ONCE = 8;

export interface Fuzzed {
  /** How many of each status were answered. */
  statuses: Record<string, number>;
  /** The kinds of payloads that were sent, as they were before. */
  kinds: string[];
  /** What was not as it should be. */
  problems: string[];
  /** What the program said. */
  output: string;
  /** Bytes in use before, in the middle, and after. */
  heap: [number, number, number];
}

export interface FuzzOptions {
  count: number;
  seed: number;
  signal?: AbortSignal;
  onProgress?: (sent: number) => void;
}

/** Sends payloads that are not quite right to the whole program, and looks whether it is whole afterwards. */
export async function playFuzz(options: FuzzOptions): Promise<Fuzzed> {
  const environment = await startEnvironment();
  const { around, clock } = environment;
  const program = await environment.start();
  try {
    const payloads = byKind(await collect(around, program));
    around.workspace.setDelivery(`${program.url}/slack/events`);
    const heap: number[] = [await program.heap()];
    const results = await shootAll(payloads, { around, program, clock }, options, heap);
    const problems = [...results.problems, ...(await faultsOf(program, environment))];
    heap.push(program.ended() === null ? await program.heap() : 0);
    const [before = 0, middle = 0, after = 0] = heap;
    return {
      output: program.output(),
      statuses: results.statuses,
      kinds: [...payloads.keys()].sort(),
      problems,
      heap: [before, middle, after],
    };
  } finally {
    await program.stop();
    await environment.close();
  }
}

async function collect({ workspace }: Surroundings, program: Program): Promise<Payload[]> {
  const recorder = await startRecorder(`${program.url}/slack/events`);
  workspace.setDelivery(recorder.url);
  await doEverything(workspace);
  await recorder.close();
  return withEveryId([...recorder.seen.values()].flat());
}

function byKind(payloads: readonly Payload[]): Map<string, Payload[]> {
  return Map.groupBy(payloads, nameOf);
}

async function shootAll(
  payloads: Map<string, Payload[]>,
  { around, program, clock }: { around: Surroundings; program: Program; clock: Clock },
  { count, seed, signal, onProgress }: FuzzOptions,
  heap: number[],
): Promise<Pick<Fuzzed, 'statuses' | 'problems'>> {
  const chance = chanceFrom(seed);
  const statuses: Record<string, number> = {};
  const problems: string[] = [];
  for (let sent = 0; sent < count && program.ended() === null && signal?.aborted !== true; sent += AT_ONCE) {
    if (heap.length === 1 && sent >= count / 2) heap.push(await program.heap());
    const shots = Array.from({ length: Math.min(AT_ONCE, count - sent) }, (_, n) =>
      shotFrom(payloads, sent + n, chance),
    );
    const to = {
      url: `${program.url}/slack/events`,
      secret: around.workspace.signingSecret,
      now: clock.now(),
    };
    const answers = await Promise.all(shots.map((shot) => shoot(shot, to)));
    for (const [n, answer] of answers.entries()) {
      const shot = shots[n];
      if (typeof answer === 'number') statuses[answer] = (statuses[answer] ?? 0) + 1;
      else
        problems.push(
          `shot ${sent + n} of seed ${seed}, ${shot?.name}: ${answer}: ${shot?.body.toString().slice(0, 600)}`,
        );
    }
    onProgress?.(sent + shots.length);
  }
  return { statuses, problems };
}
