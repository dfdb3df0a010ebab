import type { View } from '../telemetry/view.ts';
import type { Survey } from './anomalies.ts';
import { type Case, caseOf } from './case.ts';
import type { Hypothesis } from './hypothesis.ts';
import type { Present } from './place/departures.ts';
import type { Incident } from './place/incident.ts';
import { explain } from './steps/explain.ts';
import { facts } from './steps/facts.ts';
import { place } from './steps/place.ts';

/** What is wrong at the moment of a view, and why. */
export interface Diagnosis {
  survey: Survey;
  /** `null` if everything is healthy. */
  incident: Incident | null;
  /** What departs by fine samples alone; `null` if the source has none. */
  present: Present | null;
  best: Hypothesis | null;
  others: readonly Hypothesis[];
}

/** For the steps that only look at what was read. */
export const reasoning: readonly {
  name: 'facts' | 'place' | 'explain';
  run: (c: Case) => Case;
}[] = [
  { name: 'facts', run: facts },
  { name: 'place', run: place },
  { name: 'explain', run: explain },
];

/**
 * What the pipeline's steps find in what was read already, without an issue: for a question, or about another moment.
 *
 * @param subject.named the service that it is about; `null`: whichever is worst
 * @param subject.text people's description, which selects among its symptoms
 */
export function diagnose(view: View, { named, text }: { named: string | null; text: string }): Diagnosis {
  const issue = {
    title: text,
    description: '',
    environment: '',
    triggeredAt: view.trigger,
    service: named,
    context: {},
  };
  const about = { named, unknown: null, text, open: new Set<string>(), alerted: [], since: null };
  const found = reasoning.reduce((c, { run }) => run(c), caseOf(issue, view, about));
  const [best = null, ...others] = found.hypotheses;
  return { survey: found.survey, present: found.present, incident: found.placed.incident, best, others };
}
