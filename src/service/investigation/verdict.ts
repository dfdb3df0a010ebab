import { KINDS } from './kinds/index.ts';
import type { Kind, Reading } from './kinds/types.ts';
import type { Scene } from './scene.ts';
import { accountsFor, type Suspect } from './suspects.ts';

/** One explanation: this kind of fault at this service. */
export interface Case {
  suspect: Suspect;
  kind: Kind;
  reading: Reading;
  /** 0 to 1. */
  score: number;
}

/**
 * Every explanation, the most likely first. Trouble that a callee explains counts for a third; trouble that is
 * too little for what the issue speaks of, for half.
 */
export function casesFor(suspects: readonly Suspect[], scene: Scene): Case[] {
  return suspects
    .flatMap((suspect) =>
      KINDS.flatMap((kind) => {
        const reading = kind.weigh(suspect);
        if (!reading) return [];
        const score =
          Math.min(1, reading.strength) *
          (suspect.explainedBy.length > 0 ? 0.35 : 1) *
          (accountsFor(suspect.anomalies, [scene.primary]) ? 1 : 0.5);
        return [{ suspect, kind, reading, score }];
      }),
    )
    .sort((a, b) => b.score - a.score || a.suspect.onset - b.suspect.onset);
}

/** `high`, `medium` or `low`; lower where the issue did not name the unwell service. */
export function confidenceOf({ score }: Case, scene: Scene): 'high' | 'medium' | 'low' {
  const sure = scene.chosen === 'named' ? score : score - 0.25;
  return sure >= 0.75 ? 'high' : sure >= 0.45 ? 'medium' : 'low';
}
