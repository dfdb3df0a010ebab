import type { Register } from '../../listening/deps.ts';
import { onResultsModal } from './results-modal.ts';

/** Another version is chosen in *Everything*. */
export const showVersion: Register = onResultsModal('showVersion', (place, version) => ({
  ...place,
  version,
  page: 0,
}));
