import { onEvidenceModal } from './on-evidence-modal.ts';

/** *Previous*, *Next*, and the list of pages; the value is the page. */
const turning = (name: 'evidenceBack' | 'evidenceOn' | 'evidenceJump') =>
  onEvidenceModal(name, async (place, index) => ({ ...place, index }));

export const evidenceBack = turning('evidenceBack');
export const evidenceOn = turning('evidenceOn');
export const evidenceJump = turning('evidenceJump');
