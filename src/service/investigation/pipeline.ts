import { type Snapshot, viewOf } from '../telemetry/view.ts';
import { type Case, caseOf, type Means } from './case.ts';
import { reasoning } from './diagnose.ts';
import { inside } from './steps/inside.ts';
import { observe } from './steps/observe.ts';
import { prove } from './steps/prove.ts';
import { subject } from './steps/subject.ts';
import { type Traced, traced } from './trace.ts';
import type { IssueToInvestigate } from './types.ts';

/**
 * The steps of an investigation, in order. Each takes the case and returns it with what it found out; `verdict` then puts
 * it into words.
 */
const steps: readonly Step[] = [
  { name: 'observe', run: observe },
  { name: 'subject', run: subject },
  ...reasoning,
  { name: 'inside', run: inside },
  { name: 'prove', run: prove },
];

interface Step {
  name: Traced['step'];
  run(c: Case, means: Means): Case | Promise<Case>;
}

/** Runs the steps for one issue, on one copy of the system. */
export async function caseFor(
  issue: IssueToInvestigate,
  means: Means,
): Promise<{ found: Case; trace: readonly Traced[] }> {
  const nothing = { named: null, unknown: null, text: '', open: new Set<string>(), alerted: [], since: null };
  let found = caseOf(issue, viewOf(NOTHING_READ), nothing);
  const trace: Traced[] = [];
  for (const { name, run } of steps) {
    found = await run(found, means);
    trace.push(traced(name, found));
  }
  return { found, trace };
}

const NOTHING_READ: Snapshot = {
  window: { from: 0, to: 0 },
  trigger: 0,
  services: [],
  edges: [],
  series: [],
  instances: [],
  logs: [],
  spans: [],
  changes: [],
  rule: null,
  gaps: [],
};
