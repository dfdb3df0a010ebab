import type { ArtifactRef, Findings } from '../../../contract/schema.ts';
import type { IssueToInvestigate } from '../types.ts';

/** A fact that comes before what the metrics show, and what to do about it. */
interface FirstFact {
  id: string;
  title: string;
  description: string;
  /** In words, and as a number. */
  confidence: string;
  score: number;
  /** What stands behind it, as a list. */
  details: string;
  evidence: ArtifactRef[];
  action: { title: string; description: string; told: readonly string[]; steps: readonly FactStep[] };
}

export interface FactStep {
  title: string;
  type: string;
  content: string;
  label: string;
  required: boolean;
  help?: string;
}

interface About {
  issue: IssueToInvestigate;
  named: string | null;
  id: () => string;
}

/** Findings with a fact as the cause of what was the first link, or of the issue's symptom where there was none. */
export function withFirst(findings: Findings, fact: FirstFact, about: About): Findings {
  const actions = [...actionsFor(fact, about), ...(findings.remediation.actions ?? [])];
  return {
    ...findings,
    ...treesWith(findings, fact, about),
    remediation: { ...findings.remediation, actions },
  };
}

function treesWith(
  { causalTree, causalTreeV2 }: Findings,
  { id, title, description, confidence, score, details, evidence }: FirstFact,
  { issue, named }: About,
): Pick<Findings, 'causalTree' | 'causalTreeV2'> {
  const targets = new Set(causalTreeV2.edges.map(({ to }) => to));
  const first = causalTreeV2.nodes.filter((node) => !targets.has(node.id)).map((node) => node.id);
  const isAlone = first.length === 0;
  const symptom = { id: named ?? 'the issue', title: issue.title, description: issue.title };
  const effects = isAlone ? [symptom.id] : first;
  const node = { id, title, description };
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
        { ...node, confidence, nodeType: 'cause', evidence },
        ...(isAlone
          ? [{ ...symptom, confidence: 'high', nodeType: 'outcome', evidence: [] }]
          : causalTreeV2.nodes.map((one) =>
              one.nodeType === 'cause' ? { ...one, nodeType: 'effect' } : one,
            )),
      ],
      edges: [...effects.map((to) => ({ from: id, to, confidence: score })), ...causalTreeV2.edges],
    },
  };
}

/** None of it is run by us, and there is none without a step. */
function actionsFor({ action: { told, steps, ...action } }: FirstFact, { issue, id }: About) {
  if (steps.length === 0) return [];
  return [
    {
      ...action,
      id: id(),
      uuid: id(),
      category: 'immediate',
      markdownPrompt: [
        `# ${action.title}`,
        '',
        `You are helping with an incident in ${issue.environment}: "${issue.title}".`,
        '',
        ...told,
        '',
        'Propose the change, say how you would verify it, and touch nothing else.',
      ].join('\n'),
      steps: steps.map(({ help = '', ...step }) => ({ ...step, id: id(), helpMarkdown: help })),
    },
  ];
}
