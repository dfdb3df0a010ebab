import type { Evidence, Findings } from '../../contract/schema.ts';
import type { Service, StateFinding } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import { capitalize } from './format.ts';
import type { IssueToInvestigate } from './types.ts';

/** What an issue is about, as far as the telemetry shows it. */
export interface Subject {
  issue: IssueToInvestigate;
  /** The service that it names; `null` if it names none that is known. */
  named: string | null;
  /** Services that are degraded. */
  affected: readonly string[];
  view: View;
  id: () => string;
}

/** From this confidence on the state of the cluster is the cause; the metrics show what followed. */
const PROVES = 0.75;
/** From this confidence on it is worth a line. */
const SHOWS = 0.6;

/**
 * Adds to findings what is wrong with the cluster's own state, where it concerns the issue: a proven state is the cause
 * of what the metrics show. What is wrong elsewhere is mentioned as ruled out.
 */
export function withState(findings: Findings, state: readonly StateFinding[], subject: Subject): Findings {
  const shown = state.filter(({ confidence }) => confidence >= SHOWS);
  const relevant = shown.filter((finding) => concerns(finding, subject));
  const [best] = relevant;
  const elsewhere = shown.filter((finding) => !relevant.includes(finding)).slice(0, 3);
  const { rootCause } = findings;
  const known = {
    ...findings,
    rootCause: {
      ...rootCause,
      irrelevantEvidence: [
        ...rootCause.irrelevantEvidence,
        ...elsewhere.map((finding) => evidenceOf(finding, 'irrelevant')),
        ...(best?.ruledOut ?? []).map((text): Evidence => ruledOut(text)),
      ],
    },
  };
  if (best === undefined) return known;
  const evidence = relevant.slice(0, 3).map((finding) => evidenceOf(finding, 'relevant'));
  const hasCause = rootCause.rootCauseSummary !== undefined;
  if (hasCause && best.confidence < PROVES)
    return {
      ...known,
      rootCause: { ...known.rootCause, relevantEvidence: [...rootCause.relevantEvidence, ...evidence] },
    };
  return {
    ...known,
    rootCause: {
      ...known.rootCause,
      incidentOverview: hasCause
        ? rootCause.incidentOverview
        : `The cluster itself shows what is wrong: ${best.sentence}`,
      rootCauseSummary: hasCause
        ? `${best.sentence} In the metrics: ${rootCause.rootCauseSummary}`
        : best.sentence,
      relevantEvidence: [...evidence, ...rootCause.relevantEvidence],
    },
    ...treesWith(findings, best, subject),
    remediation: {
      ...findings.remediation,
      actions: [actionFor(best, subject), ...(findings.remediation.actions ?? [])],
    },
  };
}

/** `high`, `medium` or `low`. */
function word(confidence: number): string {
  return confidence >= PROVES ? 'high' : confidence >= 0.45 ? 'medium' : 'low';
}

/** The services that a finding is about, and those whose problem it explains. */
function servicesOf(
  { object, workload, explains = [] }: StateFinding,
  services: readonly Service[],
): Service[] {
  const apps = [object, ...explains]
    .filter((one) => one.startsWith('app/'))
    .map((one) => one.slice('app/'.length));
  return services.filter(
    (service) =>
      apps.some(
        (app) => service.name === app || service.aliases.includes(app) || service.workload?.name === app,
      ) ||
      (workload !== undefined &&
        service.workload?.namespace === workload.namespace &&
        service.workload.kind === workload.kind &&
        service.workload.name === workload.name),
  );
}

function concerns(finding: StateFinding, { issue, named, affected, view }: Subject): boolean {
  const text = `${issue.title} ${issue.description}`.toLowerCase();
  const name = finding.object.slice(finding.object.indexOf('/') + 1);
  if (new RegExp(`(?<![\\w-])${name.toLowerCase().replaceAll(/[^\w-]/gu, '.')}(?![\\w-])`, 'u').test(text))
    return true;
  const about = servicesOf(finding, view.services()).map((service) => service.name);
  if (named === null)
    return affected.length === 0 ? finding.confidence >= PROVES : about.some((one) => affected.includes(one));
  const reached = reachedFrom([named, ...affected], view);
  if (about.some((one) => reached.has(one))) return true;
  // Who calls whom is not known: what is wrong in the same namespace may well be it.
  const home = view.node(named)?.workload?.namespace;
  return (
    view.snapshot.edges.length === 0 &&
    home !== undefined &&
    home === finding.namespace &&
    finding.confidence >= PROVES
  );
}

/** These services, and all that they call, directly or not. */
function reachedFrom(services: readonly string[], view: View): Set<string> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const callee of view.node(name)?.calls ?? []) visit(callee);
  };
  for (const service of services) visit(service);
  return reached;
}

function evidenceOf({ object, sentence, evidence, confidence }: StateFinding, status: string): Evidence {
  return {
    title: status === 'relevant' ? `State of ${object}` : `Also wrong, elsewhere: ${object}`,
    status,
    description: [sentence, ...evidence.map((one) => `${capitalize(one)}.`)].join(' '),
    confidence: word(confidence),
    artifacts: [],
  };
}

function ruledOut(text: string): Evidence {
  return {
    title: 'Ruled out by the state',
    status: 'irrelevant',
    description: `${capitalize(text)}.`,
    confidence: 'high',
    artifacts: [],
  };
}

/** The state as the cause of what was the first link, or of the issue's symptom. */
function treesWith(
  { causalTree, causalTreeV2 }: Findings,
  best: StateFinding,
  { named, issue }: Subject,
): Pick<Findings, 'causalTree' | 'causalTreeV2'> {
  const id = `state of ${best.object}`;
  const targets = new Set(causalTreeV2.edges.map(({ to }) => to));
  const first = causalTreeV2.nodes.filter((node) => !targets.has(node.id)).map((node) => node.id);
  const symptom = { id: named ?? 'the issue', title: issue.title, description: issue.title };
  const isAlone = first.length === 0;
  const effects = isAlone ? [symptom.id] : first;
  const details = best.evidence.map((one) => `- ${one}`).join('\n');
  const node = { id, title: `State of ${best.object}`, description: best.sentence };
  return {
    causalTree: {
      nodes: [
        { ...node, type: 'validated', expandedContent: details },
        ...(isAlone ? [{ ...symptom, type: 'validated', expandedContent: '' }] : causalTree.nodes),
      ],
      edges: [
        ...effects.map((target) => ({ id: `${id}→${target}`, source: id, target })),
        ...causalTree.edges,
      ],
    },
    causalTreeV2: {
      nodes: [
        { ...node, confidence: word(best.confidence), nodeType: 'cause', evidence: [] },
        ...(isAlone
          ? [{ ...symptom, confidence: 'high', nodeType: 'outcome', evidence: [] }]
          : causalTreeV2.nodes.map((one) =>
              one.nodeType === 'cause' ? { ...one, nodeType: 'effect' } : one,
            )),
      ],
      edges: [...effects.map((to) => ({ from: id, to, confidence: best.confidence })), ...causalTreeV2.edges],
    },
  };
}

function actionFor(best: StateFinding, { issue, id }: Subject) {
  const step = (title: string, type: string, content: string, label: string, required: boolean) => ({
    id: id(),
    title,
    required,
    type,
    content,
    helpMarkdown: '',
    label,
  });
  const title = `Fix the state of ${best.object}`;
  return {
    id: id(),
    uuid: id(),
    title,
    description: best.sentence,
    category: 'immediate',
    markdownPrompt: [
      `# ${title}`,
      '',
      `You are helping with an incident in ${issue.environment}: "${issue.title}".`,
      '',
      best.sentence,
      ...best.evidence.map((one) => `- ${one}`),
      '',
      'Propose the change, say how you would verify it, and touch nothing else.',
    ].join('\n'),
    steps: [
      ...(best.show === null ? [] : [step('See it', 'command', best.show, 'Run (optional)', false)]),
      ...(best.mend === null ? [] : [step('Fix it', 'command', best.mend, 'Run', true)]),
    ],
  };
}
