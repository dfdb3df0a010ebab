import { labelsOf } from '../../investigation/names.ts';
import { type IssueState, type Level, levelOf, scopeOf, stateOf, trackedOf } from '../issue-scope.ts';
import type { Facts, IssueRecord } from '../types.ts';
import { changesSince } from './effect.ts';

export interface Brief {
  number: number;
  title: string;
  status: string;
  severity: string;
  cause: string | null;
  confidence: string | null;
  /** The service that it is about, in the words of its alert where telemetry knows none. */
  subject: string;
  services: readonly string[];
  /** `region eu`, as its alert has it; `null` if it says nothing of that. */
  where: string | null;
  onset: number;
  state: IssueState;
  levels: Level[];
  /** Newest first. */
  changes: { at: number; title: string }[];
  next: { title: string; description: string } | null;
}

const MOST_OPEN = 5;
const MOST_LEVELS = 2;
const MOST_CHANGES = 3;
const PLACES = ['region', 'cluster', 'zone', 'datacenter'];

/** Where the issue of the conversation stands, or each that is open. */
export async function briefs(facts: Facts): Promise<Brief[]> {
  if (facts.issue !== null) return [await briefOf(facts.issue, facts)];
  return openBriefs(facts);
}

export async function openBriefs(facts: Facts): Promise<Brief[]> {
  return Promise.all((await openRecords(facts)).map((one) => briefOf(one, facts)));
}

export async function openRecords({ open, issues }: Facts): Promise<IssueRecord[]> {
  const records = await Promise.all(open.slice(0, MOST_OPEN).map(({ number }) => issues.byNumber(number)));
  return records.filter((one) => one !== null);
}

async function briefOf(issue: IssueRecord, facts: Facts): Promise<Brief> {
  const scope = scopeOf(issue, facts.view.services());
  const tracked = trackedOf(scope, facts);
  const [first] = issue.findings?.remediation.actions ?? [];
  const labels: Readonly<Record<string, string>> = labelsOf(issue);
  const place = PLACES.find((label) => labels[label] !== undefined);
  return {
    number: issue.number,
    title: issue.title,
    status: issue.status,
    severity: issue.severity,
    cause: issue.rootCauseSummary,
    confidence: issue.findings?.rootCause.relevantEvidence[0]?.confidence ?? null,
    subject: scope.symptom ?? scope.unknown ?? issue.title,
    services: scope.services,
    where: place === undefined ? null : `${place} ${labels[place]}`,
    onset: scope.onset,
    state: stateOf(tracked, facts.now),
    levels: tracked.slice(0, MOST_LEVELS).map(levelOf),
    changes: (await changesSince(scope, facts))
      .slice(0, MOST_CHANGES)
      .map(({ at, title }) => ({ at, title })),
    next: first === undefined ? null : { title: first.title, description: first.description },
  };
}
