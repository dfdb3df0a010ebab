import { parentPort } from 'node:worker_threads';
import type { MatchJob, WorkerSays } from './matcher.ts';
import { matchesAny } from './patterns.ts';

// Runs in its own thread, started by matcher.ts: slow work here blocks nothing, and is terminated from outside.

const say = (what: WorkerSays): void => parentPort?.postMessage(what);

parentPort?.on('message', ({ patterns, subjects }: MatchJob) => {
  for (const pattern of patterns) say({ matched: subjects.map((texts) => matchesAny(pattern, texts)) });
});
say('ready');
