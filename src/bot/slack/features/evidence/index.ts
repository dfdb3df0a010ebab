import type { Feature } from '../../listening/feature.ts';
import { evidence as openEvidence } from './open-evidence-action.ts';
import { rawJson } from './share-json-action.ts';
import { evidenceBack, evidenceJump, evidenceOn } from './turn-page-action.ts';

/** The evidence behind an investigation or an answer, in a modal with pages. */
export const evidence: Feature = {
  actions: { evidence: openEvidence, evidenceBack, evidenceJump, evidenceOn, rawJson },
};
