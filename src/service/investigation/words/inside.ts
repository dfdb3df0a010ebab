import type { Evidence, Findings } from '../../../contract/schema.ts';
import type { LookedInside } from '../../databases/databases.ts';
import type { DatabaseFact } from '../../databases/fact.ts';
import { deedOf, type InsideChange } from '../../databases/fingerprint.ts';
import { TITLES } from '../../databases/settings.ts';
import { changeOf } from '../../databases/source.ts';
import type { Change, Window } from '../../telemetry/model.ts';
import type { Case } from '../case.ts';
import type { Fact } from '../fact.ts';
import { joinNames, timeOfDay } from '../format.ts';
import type { EvidenceStore } from './artifacts.ts';
import { withFirst } from './fact-first.ts';
import type { Telling } from './telling.ts';

/** From this weight on a fact explains why callers fail; below it is told beside what does. */
const EXPLAINS = 0.8;
const MOST = 4;
/** A change inside is a suspect for so long before the problem. */
const SUSPECT_MS = 60 * 60_000;

/** Adds to findings what the databases show from inside: the cause, if it explains why callers fail; else what is wrong there. */
export function withInside(findings: Findings, { of: c, evidenceStore, id }: Telling): Findings {
  if (c.inside.length === 0) return findings;
  const all = c.inside.flatMap(({ looked }) => looked.facts).toSorted((a, b) => b.weight - a.weight);
  const [best] = all.filter(({ weight }) => weight >= EXPLAINS);
  const { rootCause } = findings;
  const evidence = [
    ...all.slice(0, MOST).map((fact) => evidenceOf(fact, evidenceStore)),
    ...c.inside.flatMap(({ looked }) => suspectsIn(looked, c, best, evidenceStore)),
  ];
  const told = {
    ...findings,
    rootCause: {
      ...rootCause,
      incidentOverview: `${rootCause.incidentOverview ?? ''}${unreadSentence(c)}`.trim(),
      relevantEvidence:
        best === undefined
          ? [...rootCause.relevantEvidence, ...evidence]
          : [...evidence, ...rootCause.relevantEvidence],
      irrelevantEvidence: [
        ...rootCause.irrelevantEvidence,
        ...c.inside.flatMap(({ looked }) => wellIn(looked)),
      ],
    },
  };
  if (best === undefined) return told;
  const sentence = `${sentenceOf(best)}${deployedSentence(best, c)}`;
  const summary = rootCause.rootCauseSummary;
  const first: Findings = {
    ...told,
    rootCause: {
      ...told.rootCause,
      rootCauseSummary:
        summary === undefined
          ? sentence
          : `${sentence} In the metrics: ${summary.replace(' In the metrics: ', ' ')}`,
      ...(summary === undefined &&
        c.issue.isQuestion !== true && {
          incidentOverview: `${sentence} ${told.rootCause.incidentOverview}`.trim(),
        }),
    },
  };
  const isWhole = best.object === best.database;
  const fact = {
    id: `inside ${best.database}`,
    title: isWhole
      ? `${best.kind === 'slow' ? 'Slow answers from' : 'No connection to'} ${best.database}`
      : `Inside ${best.database}: ${best.object}`,
    description: sentence,
    confidence: 'high',
    score: best.weight,
    details: `- ${best.proof.from}`,
    evidence: [evidenceStore.rows(best)],
    action: {
      title: isWhole ? `Fix ${best.database}` : `Fix ${best.object} inside ${best.database}`,
      description: best.sentence,
      told: [sentence, ...best.steps.map((step, i) => `${i + 1}. ${step.title}: ${step.content}`)],
      // What can be taken back comes first.
      steps: best.steps.map(({ title, type, content, note }) => ({
        title,
        content,
        help: note ?? '',
        ...STEPS[type],
      })),
    },
  };
  return withFirst(first, fact, { issue: c.issue, named: c.subject.named, id });
}

/** `PostgreSQL orders: Session 4711 …`. */
function sentenceOf({ system, database, sentence }: DatabaseFact): string {
  const named = `${TITLES[system]} ${database}`;
  // What cannot be reached is named by its refusal.
  return sentence.startsWith(named) ? sentence : `${named}: ${sentence}`;
}

/** The facts of the insides, and what changed there, as facts like any other. */
export function factsInside(c: Case): { fact: Fact; sentence: string }[] {
  const { window } = c.view;
  return c.inside.flatMap(({ looked }) => [
    ...looked.facts.map((fact) => ({ fact: factOf(fact, window), sentence: sentenceOf(fact) })),
    ...looked.changes
      .filter(({ before }) => before >= window.from)
      .map((change) => {
        const made = changeOf(change);
        return { fact: factOfChange(made, looked, window), sentence: `${made.title}.` };
      }),
  ]);
}

function factOf({ database, system, kind, object, since, proof }: DatabaseFact, window: Window): Fact {
  return {
    what: 'store',
    code: kind,
    of: { service: database, object },
    since,
    until: null,
    level: null,
    from: { source: system, query: proof.from, window },
  };
}

function factOfChange(change: Change, { database, system }: LookedInside, window: Window): Fact {
  return {
    what: 'change',
    code: change.kind,
    of: { service: database },
    since: change.at,
    until: null,
    level: null,
    from: { source: system, window },
  };
}

function evidenceOf(fact: DatabaseFact, evidenceStore: EvidenceStore): Evidence {
  return {
    title: `Inside ${fact.database}: ${fact.object}`,
    status: 'relevant',
    description: fact.sentence,
    confidence: fact.weight >= EXPLAINS ? 'high' : fact.weight >= 0.5 ? 'medium' : 'low',
    artifacts: [evidenceStore.rows(fact)],
  };
}

/** What changed inside shortly before, and is not shown to be behind anything. */
function suspectsIn(
  { database, changes }: LookedInside,
  { placed, view }: Case,
  best: DatabaseFact | undefined,
  evidenceStore: EvidenceStore,
): Evidence[] {
  const onset = placed.incident?.primary.onset ?? view.trigger;
  const isNamed = ({ name }: InsideChange) => best?.sentence.includes(`\`${name}\``) === true;
  return changes
    .filter((change) => change.after <= onset && change.before >= onset - SUSPECT_MS && !isNamed(change))
    .slice(-MOST)
    .map((change) => ({
      title: `Changed inside ${database}: ${deedOf(change)}`,
      status: 'relevant',
      description: `Between ${timeOfDay(change.after)} and ${timeOfDay(change.before)}; not proven to be the cause.`,
      confidence: 'low',
      artifacts: [evidenceStore.change(changeOf(change))],
    }));
}

/** A negative sentence counts what was looked at. */
function wellIn({ database, facts, read }: LookedInside): Evidence[] {
  if (facts.length > 0 || read.length === 0) return [];
  return [
    {
      title: `Inside ${database}: no session blocks another`,
      status: 'irrelevant',
      description: `Looked at: ${joinNames(read)}.`,
      confidence: 'high',
      artifacts: [],
    },
  ];
}

function unreadSentence({ inside }: Case): string {
  const unread = inside.flatMap(({ looked }) => looked.unread);
  return unread.length === 0 ? '' : ` ${unread.join(' ')}`;
}

/** What was deployed within the time in which something changed inside, if one thing was. */
function deployedSentence({ object, since }: DatabaseFact, { inside, view }: Case): string {
  const change = inside
    .flatMap(({ looked }) => looked.changes)
    .find(({ name, after }) => after === since && (name === object || name.startsWith(`${object} on `)));
  if (change === undefined) return '';
  const deploys = view.snapshot.changes.filter(
    ({ kind, at, service, version }) =>
      kind === 'deploy' && at >= change.after && at <= change.before && service !== null && version !== null,
  );
  const [only] = deploys;
  return only === undefined || deploys.length > 1
    ? ''
    : ` ${only.service ?? ''} ${only.version ?? ''} was deployed within that time, at ${timeOfDay(only.at)}.`;
}

const STEPS = {
  check: { type: 'command', label: 'Check first', required: true },
  command: { type: 'command', label: 'Run (optional)', required: false },
  info: { type: 'info', label: 'Note', required: false },
} as const;
