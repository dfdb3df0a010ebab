import type { Register } from '../../listening/deps.ts';
import { onEvidenceModal } from './on-evidence-modal.ts';

/** *Previous* among the evidence. */
export const evidenceBack: Register = onEvidenceModal('evidenceBack', async (place, index) => ({
  ...place,
  index,
}));

/** *Next* among the evidence. */
export const evidenceOn: Register = onEvidenceModal('evidenceOn', async (place, index) => ({
  ...place,
  index,
}));

/** Another one is chosen in the list. */
export const evidenceJump: Register = onEvidenceModal('evidenceJump', async (place, index) => ({
  ...place,
  index,
}));
