import type { Feature } from '../../listening/feature.ts';
import { evidence as openEvidence } from './open-evidence-action.ts';
import { rawJson } from './share-json-action.ts';
import { evidenceBack, evidenceJump, evidenceOn } from './turn-page-action.ts';

/** What an investigation or an answer rests on, in a modal that pages through it. */
export const evidence: Feature = {
  actions: { evidence: openEvidence, evidenceBack, evidenceJump, evidenceOn, rawJson },
};
