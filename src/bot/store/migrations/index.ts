import type { Migration } from 'kysely/migration';
import { up as spine } from './0001-spine.ts';
import { up as steering } from './0002-steering.ts';
import { up as acting } from './0003-acting.ts';
import { up as talking } from './0004-talking.ts';
import { up as troubles } from './0005-troubles.ts';
import { up as changes } from './0006-changes.ts';
import { up as organizations } from './0007-organizations.ts';
import { up as withheld } from './0008-withheld.ts';
import { up as tombstones } from './0009-tombstones.ts';
import { up as limits } from './0010-limits.ts';
import { up as acts } from './0011-acts.ts';
import { up as sessions } from './0012-sessions.ts';
import { up as progress } from './0013-progress.ts';
import { up as replicas } from './0014-replicas.ts';
import { up as issueIndexes } from './0015-issue-indexes.ts';
import { up as webhooks } from './0016-webhooks.ts';
import { up as allowances } from './0017-allowances.ts';
import { up as hotIndexes } from './0018-hot-indexes.ts';
import { up as auditChain } from './0019-audit-chain.ts';
import { up as silences } from './0020-silences.ts';
import { up as inboxOrder } from './0021-inbox-order.ts';
import { up as identityIndexes } from './0022-identity-indexes.ts';

/** Every migration in order, by name. A static map: nothing is globbed, and the image needs no more. */
export const migrations: Record<string, Migration> = {
  '0001-spine': { up: spine },
  '0002-steering': { up: steering },
  '0003-acting': { up: acting },
  '0004-talking': { up: talking },
  '0005-troubles': { up: troubles },
  '0006-changes': { up: changes },
  '0007-organizations': { up: organizations },
  '0008-withheld': { up: withheld },
  '0009-tombstones': { up: tombstones },
  '0010-limits': { up: limits },
  '0011-acts': { up: acts },
  '0012-sessions': { up: sessions },
  '0013-progress': { up: progress },
  '0014-replicas': { up: replicas },
  '0015-issue-indexes': { up: issueIndexes },
  '0016-webhooks': { up: webhooks },
  '0017-allowances': { up: allowances },
  '0018-hot-indexes': { up: hotIndexes },
  '0019-audit-chain': { up: auditChain },
  '0020-silences': { up: silences },
  '0021-inbox-order': { up: inboxOrder },
  '0022-identity-indexes': { up: identityIndexes },
};
