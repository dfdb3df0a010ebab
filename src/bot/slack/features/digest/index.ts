import type { Feature } from '../../listening/feature.ts';
import { digest as digestSubmission } from './digest-modal-submission.ts';
import { digest as digestSubcommand } from './digest-subcommand.ts';
import { sendDigestNow } from './send-now-action.ts';

/** A channel's digest of its issues. */
export const digest: Feature = {
  subcommands: { digest: digestSubcommand },
  actions: { sendDigestNow },
  views: { digest: digestSubmission },
};
