import { expect, it } from 'vitest';
import { z } from 'zod';
import { InvestigationResults } from '../../src/contract/answers.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

const Identified = z.array(z.object({ id: z.string() }));

it('2.7 causalTree, causalTreeV2: the ends of every edge are nodes', () => {
  const { causalTree, causalTreeV2 } = InvestigationResults.parse(samples().results);
  const nodes = causalTree?.nodes?.map(({ id }) => id);
  const ends = causalTree?.edges?.flatMap(({ source, target }) => [source, target]) ?? [];
  expect(ends).not.toEqual([]);
  expect(ends.filter((id) => !nodes?.includes(id))).toEqual([]);

  const nodesV2 = causalTreeV2?.nodes?.map(({ id }) => id);
  const endsV2 = causalTreeV2?.edges?.flatMap(({ from, to }) => [from, to]) ?? [];
  expect(endsV2).not.toEqual([]);
  expect(endsV2.filter((id) => !nodesV2?.includes(id))).toEqual([]);
});

it('2.7 ArtifactRef: whatever is referred to can be retrieved', () => {
  const { rootCause, causalTreeV2, timeline } = InvestigationResults.parse(samples().results);
  const evidence = [...(rootCause?.relevantEvidence ?? []), ...(rootCause?.irrelevantEvidence ?? [])];
  const references = [
    ...evidence.flatMap(({ artifacts }) => artifacts?.map(({ documentId }) => documentId)),
    ...(causalTreeV2?.nodes ?? []).flatMap((node) => node.evidence?.map(({ documentId }) => documentId)),
    ...(timeline ?? []).flatMap((entry) => entry.evidence?.map(({ artifactId }) => artifactId)),
  ];
  const kept = Identified.parse(samples().artifacts).map(({ id }) => id);
  expect(references.filter((id) => id === undefined || !kept.includes(id))).toEqual([]);
});

it('2.7 timeline: the oldest comes first', () => {
  const { timeline } = InvestigationResults.parse(samples().results);
  const times = timeline?.map(({ timestamp }) => Date.parse(timestamp ?? ''));
  expect(times?.length).toBeGreaterThan(1);
  expect(times).toEqual(times?.toSorted((a, b) => a - b));
});
