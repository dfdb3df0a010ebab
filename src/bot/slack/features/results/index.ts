import type { Feature } from '../../listening/feature.ts';
import { copyPrompt } from './copy-prompt-action.ts';
import { artifact } from './open-artifact-action.ts';
import { wholeResults } from './open-everything-action.ts';
import { tick, untick } from './tick-step-action.ts';
import { resultsBack, resultsOn, showVersion } from './turn-page-action.ts';

/** Results of investigations, and the checklist of remediation steps. */
export const results: Feature = {
  actions: {
    artifact,
    copyPrompt,
    everything: wholeResults,
    resultsBack,
    resultsOn,
    showVersion,
    tick,
    untick,
  },
};
