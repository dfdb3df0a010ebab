import type { Telemetry } from '../telemetry/telemetry.ts';
import { type Scene, sceneOf } from './scene.ts';
import { type Survey, survey } from './survey.ts';
import { suspectsIn } from './suspects.ts';
import { type Case, casesFor } from './verdict.ts';

export interface Diagnosis {
  survey: Survey;
  /** `null` where nothing is unwell. */
  scene: Scene | null;
  best: Case | null;
  /** The explanations that are less likely. */
  others: readonly Case[];
}

/**
 * What is wrong at a moment, and why.
 *
 * @param subject.named the service that it is about; `null`: whatever is worst
 * @param subject.text what people say of it, which chooses between its symptoms
 */
export function diagnose(
  telemetry: Telemetry,
  subject: { at: number; now: number; named: string | null; text: string },
): Diagnosis {
  const seen = survey(telemetry, subject.at, subject.now);
  const scene = sceneOf(seen, subject.named, subject.text);
  const [best = null, ...others] = scene ? casesFor(suspectsIn(scene, seen, telemetry), scene) : [];
  // Trouble that only passes by next to a service that is well explains nothing about that service.
  if (scene?.chosen === 'neighbour' && best?.suspect.node.name !== scene.symptom)
    return { survey: seen, scene: null, best: null, others: [] };
  return { survey: seen, scene, best, others };
}
