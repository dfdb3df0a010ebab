import type { Feature } from '../../listening/feature.ts';
import { audit } from './audit-subcommand.ts';
import { appUninstalled, tokensRevoked } from './check-token-event.ts';
import { pause } from './pause-subcommand.ts';
import { resume } from './resume-subcommand.ts';
import { status } from './status-subcommand.ts';

/** Status, audit log and pausing. */
export const admin: Feature = {
  subcommands: { status, audit, pause, resume },
  events: { app_uninstalled: appUninstalled, tokens_revoked: tokensRevoked },
};
