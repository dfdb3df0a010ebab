import type { View } from '../telemetry/view.ts';
import { candidatesIn } from './candidates.ts';
import { type Hypothesis, rankHypotheses } from './hypotheses.ts';
import { findIncident, type Incident } from './incident.ts';
import { type Survey, survey } from './survey.ts';

export interface Diagnosis {
  survey: Survey;
  /** `null` where everything is healthy. */
  incident: Incident | null;
  best: Hypothesis | null;
  /** The explanations that are less likely. */
  others: readonly Hypothesis[];
}

/**
 * What is wrong at the moment that the view was taken for, and why.
 *
 * @param subject.named the service that it is about; `null`: whatever is worst
 * @param subject.text what people say of it, which chooses between its symptoms
 */
export function diagnose(view: View, subject: { named: string | null; text: string }): Diagnosis {
  const seen = survey(view);
  const incident = findIncident(seen, subject.named, subject.text);
  const [best = null, ...others] = incident
    ? rankHypotheses(candidatesIn(incident, seen, view), incident)
    : [];
  // Trouble that only passes by next to a service that is well explains nothing about that service.
  if (incident?.chosen === 'neighbour' && best?.candidate.node.name !== incident.symptom)
    return { survey: seen, incident: null, best: null, others: [] };
  return { survey: seen, incident, best, others };
}
