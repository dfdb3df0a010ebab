import { z } from 'zod';
import { describePart, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

const Objects = z.array(z.record(z.string(), z.unknown()));

/** The objects at the end of a path into the results; a list on the way stands for its elements. */
function at(...path: string[]): z.infer<typeof Objects> {
  return path.reduce(
    (objects: z.infer<typeof Objects>, name) => Objects.parse(objects.flatMap((object) => object[name])),
    [samples().results],
  );
}

const evidence = () => [...at('rootCause', 'relevantEvidence'), ...at('rootCause', 'irrelevantEvidence')];
const Strings = (...names: string[]) => Object.fromEntries(names.map((name) => [name, types.text]));

describePart(
  '2.7',
  {
    sessionUuid: types.uuid,
    rootCause: types.object,
    causalTree: types.object,
    causalTreeV2: types.object,
    remediation: types.object,
    timeline: types.list,
  },
  () => [samples().results],
  'top level',
);

describePart(
  '2.7',
  {
    id: types.uuid,
    incidentOverview: types.someText,
    rootCauseSummary: types.someText,
    relevantEvidence: types.list,
    irrelevantEvidence: types.list,
  },
  () => at('rootCause'),
  'rootCause',
);

describePart(
  '2.7',
  { ...Strings('title', 'status', 'description', 'confidence'), artifacts: types.list },
  evidence,
  'Evidence',
);

describePart(
  '2.7',
  Strings('documentId', 'title', 'description', 'dataType'),
  () => [...at('rootCause', 'relevantEvidence', 'artifacts'), ...at('causalTreeV2', 'nodes', 'evidence')],
  'ArtifactRef',
);

for (const tree of ['causalTree', 'causalTreeV2']) {
  describePart('2.7', { nodes: types.list, edges: types.list }, () => at(tree), tree);
}

describePart(
  '2.7',
  Strings('id', 'type', 'title', 'description', 'expandedContent'),
  () => at('causalTree', 'nodes'),
  'node of causalTree',
);

describePart('2.7', Strings('id', 'source', 'target'), () => at('causalTree', 'edges'), 'edge of causalTree');

describePart(
  '2.7',
  { ...Strings('id', 'title', 'description', 'confidence', 'nodeType'), evidence: types.list },
  () => at('causalTreeV2', 'nodes'),
  'node of causalTreeV2',
);

describePart(
  '2.7',
  { ...Strings('from', 'to'), confidence: z.number().min(0).max(1) },
  () => at('causalTreeV2', 'edges'),
  'edge of causalTreeV2',
);

describePart('2.7', { actions: types.list }, () => at('remediation'), 'remediation');

describePart(
  '2.7',
  {
    ...Strings('id', 'uuid', 'title', 'description', 'category', 'markdownPrompt'),
    steps: types.list,
  },
  () => at('remediation', 'actions'),
  'Action',
);

describePart(
  '2.7',
  {
    ...Strings('id', 'title', 'type', 'content', 'helpMarkdown', 'label'),
    required: z.boolean(),
  },
  () => at('remediation', 'actions', 'steps'),
  'Step',
);

describePart(
  '2.7',
  {
    ...Strings('id', 'type', 'title', 'description'),
    timestamp: types.timestamp,
    evidence: types.list,
  },
  () => at('timeline'),
  'entry of the timeline',
);

describePart(
  '2.7',
  { ...Strings('artifactId', 'title', 'description'), timestamp: types.timestamp },
  () => at('timeline', 'evidence'),
  'evidence of the timeline',
);
