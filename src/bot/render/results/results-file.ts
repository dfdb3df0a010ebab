import type {
  ArtifactRef,
  Evidence,
  InvestigationResults,
  RemediationAction,
  RemediationStep,
  RootCause,
  TimelineEntry,
} from '../../../contract/answers.ts';
import { oneLine } from '../../../lib/text.ts';
import { clean } from '../escape.ts';
import type { ResultsView } from '../views.ts';
import { SIMULATED } from '../words.ts';

interface ResultsFile {
  name: string;
  /** What people see it called; on one line. */
  title: string;
  /** Markdown. */
  text: string;
}

type Text = string | undefined;

/** All of an investigation's results as Markdown: every text whole, with the ids of evidence. */
export function resultsFile({ number, version, title, results, simulated }: ResultsView): ResultsFile {
  const parts = [
    `# Results of #${number}: ${line(title)}`,
    simulated ? `**${SIMULATED}**` : '',
    `Version ${version}${results.sessionUuid ? `, investigation ${line(results.sessionUuid)}` : ''}`,
    ...verdict(results.rootCause),
    ...evidence('Evidence', results.rootCause?.relevantEvidence),
    ...evidence('Ruled out', results.rootCause?.irrelevantEvidence),
    ...graph(results),
    ...timeline(results.timeline),
    ...remediation(results.remediation?.actions),
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return {
    name: `results-${number}-v${version}.md`,
    title: `All results of #${number}, version ${version}`,
    text: `${text}\n`,
  };
}

function verdict(rootCause: RootCause | undefined): string[] {
  const summary = whole(rootCause?.rootCauseSummary);
  const overview = whole(rootCause?.incidentOverview);
  return [
    rootCause?.isUnexplained === true ? '## Root cause unknown' : '## Root cause',
    summary || 'No root cause found.',
    ...(overview === '' ? [] : ['## What happened', overview]),
  ];
}

function evidence(heading: string, list: readonly Evidence[] = []): string[] {
  return under(
    `## ${heading}`,
    list.map(({ title, description, status, confidence, artifacts = [] }) => [
      `### ${line(title) || 'Untitled'}`,
      facts({ Status: status, Confidence: confidence }),
      whole(description),
      ...artifacts.map(artifact),
    ]),
  );
}

function artifact({ documentId, title, description, dataType }: ArtifactRef): string {
  return `- ${[title, description, dataType, documentId].map(line).filter(Boolean).join(' · ')}`;
}

function graph({ causalTreeV2, causalTree }: InvestigationResults): string[] {
  const v2 = causalTreeV2?.nodes ?? [];
  const v1 = causalTree?.nodes ?? [];
  return [
    ...under(
      '## Causal graph',
      v2.map((node) => [
        `### ${line(node.title) || line(node.id) || 'Untitled'}`,
        facts({ Id: node.id, Kind: node.nodeType, Confidence: node.confidence }),
        whole(node.description),
        ...(node.evidence ?? []).map(artifact),
      ]),
    ),
    arrows((causalTreeV2?.edges ?? []).map(({ from, to, confidence }) => [from, to, confidence?.toString()])),
    ...under(
      v2.length > 0 ? '## Causal graph, older form' : '## Causal graph',
      v1.map((node) => [
        `### ${line(node.title) || line(node.id) || 'Untitled'}`,
        facts({ Id: node.id, Kind: node.type }),
        whole(node.description),
        whole(node.expandedContent),
      ]),
    ),
    arrows((causalTree?.edges ?? []).map(({ source, target }) => [source, target, undefined])),
  ];
}

function arrows(edges: readonly (readonly [Text, Text, Text])[]): string {
  return edges
    .map(([from, to, sure]) => `- ${line(from)} → ${line(to)}${sure === undefined ? '' : ` (${sure})`}`)
    .join('\n');
}

function timeline(entries: readonly TimelineEntry[] = []): string[] {
  return under(
    '## Timeline',
    entries.map(({ timestamp, title, type, description, evidence: some = [] }) => [
      `### ${[timestamp, title].map(line).filter(Boolean).join(' · ') || 'Untitled'}`,
      facts({ Kind: type }),
      whole(description),
      ...some.map((one) =>
        artifact({
          title: one.title,
          description: one.description,
          dataType: one.timestamp,
          documentId: one.artifactId,
        }),
      ),
    ]),
  );
}

function remediation(actions: readonly RemediationAction[] = []): string[] {
  return under(
    '## Remediation',
    actions.map((action, index) => [
      `### ${index + 1}. ${line(action.title) || 'Untitled action'}`,
      facts({ Kind: action.category, Id: action.id, Uuid: action.uuid }),
      whole(action.description),
      ...(action.steps ?? []).map(step),
      ...(whole(action.markdownPrompt) === '' ? [] : ['#### Prompt', fenced(whole(action.markdownPrompt))]),
    ]),
  );
}

function step({ id, title, label, type, required, content, helpMarkdown }: RemediationStep, n: number) {
  return [
    `#### Step ${n + 1}: ${line(title) || line(label) || 'Untitled'}${required === true ? ' (required)' : ''}`,
    facts({ Kind: type, Label: label, Id: id }),
    whole(content),
    whole(helpMarkdown),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function under(heading: string, entries: string[][]): string[] {
  return entries.length === 0 ? [] : [heading, ...entries.flat()];
}

function facts(named: Record<string, Text>): string {
  return Object.entries(named)
    .filter(([, value]) => line(value) !== '')
    .map(([name, value]) => `${name}: ${line(value)}`)
    .join(' · ');
}

// Longer than every fence within it, so that none ends it.
function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

function line(text: Text): string {
  return oneLine(clean(text ?? ''));
}

function whole(text: Text): string {
  return clean(text ?? '').trim();
}
