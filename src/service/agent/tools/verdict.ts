import type { Evidence } from '../../../contract/schema.ts';
import type { Change } from '../../telemetry/model.ts';
import { concernedBy } from '../issue-scope.ts';
import type { Facts, IssueScope } from '../types.ts';
import { changesNamedIn } from '../unknown.ts';

/** What an investigation found: one of an issue, or the look that a question began. */
export interface Verdict {
  /** The issue; `null` of a question's look. */
  number: number | null;
  at: number;
  isPending: boolean;
  summary: string | null;
  /** It says what is wrong, and not why. */
  isUnexplained: boolean;
  overview: string;
  /** Of it, what could not be decided or checked. */
  limits: string[];
  confidence: string | null;
  evidence: Shown[];
  ruledOut: Shown[];
  blamed: { at: number; title: string } | null;
}

export interface Shown {
  title: string;
  description: string;
}

const MINUTE = 60_000;
const MOST_EVIDENCE = 5;
const MOST_RULED_OUT = 3;

type Of = Pick<IssueScope, 'issue'>;

/** What was found. With `facts`, the artifacts that it rests on are sent with the answer. */
export function verdictOf({ issue }: Of, facts: Pick<Facts, 'cite'> | null = null): Verdict {
  const root = issue.findings?.rootCause;
  const shown = (some: readonly Evidence[], most: number): Shown[] => {
    const few = some.slice(0, most);
    facts?.cite(few.flatMap(({ artifacts }) => artifacts.map(({ documentId }) => documentId)));
    return few.map(({ title, description }) => ({ title, description }));
  };
  return {
    number: issue.number,
    // A later look tells of what came later.
    at: Math.max(
      issue.triggeredAt,
      ...(issue.findings?.timeline ?? []).map(({ timestamp }) => Date.parse(timestamp)),
    ),
    isPending: issue.status === 'investigating' || root === undefined,
    summary: issue.rootCauseSummary,
    isUnexplained: root?.isUnexplained === true,
    overview: root?.incidentOverview ?? '',
    limits: issue.findings?.limits ?? [],
    confidence: root?.relevantEvidence[0]?.confidence ?? null,
    evidence: shown(root?.relevantEvidence ?? [], MOST_EVIDENCE),
    ruledOut: shown(root?.irrelevantEvidence ?? [], MOST_RULED_OUT),
    blamed: blamedAt({ issue }),
  };
}

export function blamedAt({ issue }: Of): Verdict['blamed'] {
  const refs = new Set(
    (issue.findings?.rootCause.relevantEvidence ?? []).flatMap(({ artifacts }) =>
      artifacts.filter(({ dataType }) => dataType === 'change').map(({ documentId }) => documentId),
    ),
  );
  const entry = (issue.findings?.timeline ?? []).find(
    ({ type, evidence }) => type === 'change' && evidence.some(({ artifactId }) => refs.has(artifactId)),
  );
  return entry === undefined ? null : { at: Date.parse(entry.timestamp), title: entry.title };
}

/** The same change is seen up to a few minutes apart at another resolution. */
export function isBlamedChange({ at, title }: Pick<Change, 'at' | 'title'>, scope: Of): boolean {
  const blamed = blamedAt(scope);
  return blamed !== null && blamed.title === title && Math.abs(blamed.at - at) <= 5 * MINUTE;
}

export interface Blame {
  /** `open`: it was just before, and nothing rules it out; `unseen`: there was no such change. */
  is: 'blamed' | 'ruled_out' | 'open' | 'unseen';
  verdict: Verdict;
  change: { at: number; title: string } | null;
  against: Shown | null;
  /** Where it was looked for, and since when. */
  services: readonly string[];
  onset: number;
}

/** How far back a change may lie that led to a problem: a leak takes days. */
export const MAY_LEAD = 7 * 24 * 60 * MINUTE;

/** Whether a change is to blame, as the verdict has it: ruled out only where it says so. */
export async function blameOf(
  scope: IssueScope,
  { named, asked }: { named: readonly string[]; asked: string },
  facts: Pick<Facts, 'changes' | 'cite' | 'now'>,
): Promise<Blame> {
  const { onset } = scope;
  const verdict = verdictOf(scope, facts);
  const services = named.length === 0 ? concernedBy(scope) : named;
  const until = onset + 5 * MINUTE;
  const before = await facts.changes({ from: onset - MAY_LEAD, to: until });
  // Who made it, or its version, says which one is meant.
  const own = changesNamedIn(asked, before)?.changes ?? null;
  const found = { verdict, change: null, against: null, services, onset };
  const isMeant = (text: string) =>
    own === null
      ? named.length === 0 || named.some((name) => text.includes(name))
      : own.some(({ title }) => text.includes(title));
  const { blamed } = verdict;
  if (blamed !== null && isMeant(own === null ? `${blamed.title} ${scope.causes.join(' ')}` : blamed.title))
    return { ...found, is: 'blamed', change: blamed };
  const meant =
    own ??
    before.filter(({ service, title }) =>
      named.length === 0
        ? service === null || services.includes(service)
        : named.some((name) => `${service ?? ''} ${title}`.includes(name)),
    );
  const last = meant.at(-1) ?? null;
  // Another change that is ruled out says nothing of the one that is meant.
  const isOfLast = (text: string) =>
    last === null ? isMeant(text) : text.includes(last.title) || named.some((name) => text.includes(name));
  const against = scope.issue.findings?.rootCause.irrelevantEvidence.find(
    ({ artifacts, title, description }) =>
      artifacts.some(({ dataType }) => dataType === 'change') && isOfLast(`${title} ${description}`),
  );
  if (against !== undefined) return { ...found, is: 'ruled_out', against };
  return last === null ? { ...found, is: 'unseen' } : { ...found, is: 'open', change: last };
}

/** Whether the results blame these services; `null` if they are not sure enough to say no. */
export function isBlamed(
  scope: IssueScope,
  { confidence }: Verdict,
  named: readonly string[],
): boolean | null {
  if (named.length === 0) return confidence === 'high' ? true : null;
  if (confidence !== 'high' && confidence !== 'medium') return null;
  return named.every((name) => scope.causes.includes(name));
}
