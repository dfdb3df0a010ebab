import { parentPort } from 'node:worker_threads';
import type { MatchJob, WorkerSays } from './matcher.ts';
import { matchesAny } from './patterns.ts';

// Runs in a thread of its own, started by matcher.ts: what takes long here holds nobody up, and is ended from outside.

const say = (what: WorkerSays): void => parentPort?.postMessage(what);

parentPort?.on('message', ({ patterns, subjects }: MatchJob) => {
  for (const pattern of patterns) say({ matched: subjects.map((texts) => matchesAny(pattern, texts)) });
});
say('ready');
