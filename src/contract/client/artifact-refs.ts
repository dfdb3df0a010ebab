import type { ArtifactRef, InvestigationResults } from '../answers.ts';

/** A piece of evidence that results refer to, at its first mention; all texts are untrusted. */
export interface ArtifactPlace {
  id: string;
  use: 'counts' | 'ruled_out' | 'graph' | 'timeline';
  title: string;
  description: string;
  dataType: string;
  /** The title of what refers to it: the finding, the cause, the event. */
  about: string;
}

/** Everything that results refer to, each once: evidence, what was ruled out, causes, then the timeline. */
export function artifactPlaces({
  rootCause,
  causalTreeV2,
  timeline = [],
}: InvestigationResults): ArtifactPlace[] {
  const all = [
    ...(rootCause?.relevantEvidence ?? []).flatMap((one) => placed('counts', one.title, one.artifacts)),
    ...(rootCause?.irrelevantEvidence ?? []).flatMap((one) => placed('ruled_out', one.title, one.artifacts)),
    ...(causalTreeV2?.nodes ?? []).flatMap((one) => placed('graph', one.title, one.evidence)),
    ...timeline.flatMap((one) =>
      placed(
        'timeline',
        one.title,
        one.evidence?.map(({ artifactId, title, description }) => ({
          ...(artifactId === undefined ? {} : { documentId: artifactId }),
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
        })),
      ),
    ),
  ];
  const first = new Map<string, ArtifactPlace>();
  for (const one of all) if (!first.has(one.id)) first.set(one.id, one);
  return [...first.values()];
}

function placed(use: ArtifactPlace['use'], about = '', refs: readonly ArtifactRef[] = []): ArtifactPlace[] {
  return refs.flatMap(({ documentId: id = '', title = '', description = '', dataType = '' }) =>
    id === '' ? [] : [{ id, use, title, description, dataType, about }],
  );
}
