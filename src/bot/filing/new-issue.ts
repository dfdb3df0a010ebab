import type { IssueContext, IssueCreate } from '../../contract/schema.ts';
import { oneLine } from '../../lib/text.ts';
import { canonicalEnvironment } from './identity.ts';
import { withReference } from './reference.ts';

/** An issue that a person describes in the form, with every field of the create request (contract 2.5). */
export interface IssueDraft {
  title: string;
  description: string;
  environment: string;
  severity: 'low' | 'medium' | 'high';
  /** Milliseconds since the epoch; `null` for now. */
  triggeredAt: number | null;
  /** The context that was stated; empty texts are left out. */
  context: Partial<Record<ContextText, string>>;
  tags: readonly string[];
  metadata: Readonly<Record<string, string>>;
}

type ContextText =
  | 'alertUrl'
  | 'service'
  | 'traceId'
  | 'spanId'
  | 'errorType'
  | 'errorMessage'
  | 'host'
  | 'region'
  | 'version';

/** The create request for a draft. */
export function requestForDraft(
  draft: IssueDraft,
  origin: { issueId: string; channel: string; now: number },
): IssueCreate {
  const stated = Object.entries(draft.context).filter(([, value]) => value !== '');
  const context: IssueContext = {
    ...Object.fromEntries(stated),
    ...(draft.tags.length === 0 ? {} : { tags: [...draft.tags] }),
    metadata: { source: 'slack', channel: origin.channel, ...draft.metadata },
  };
  return {
    title: oneLine(draft.title),
    description: withReference(draft.description, origin.issueId, null),
    environment: canonicalEnvironment(draft.environment),
    severity: draft.severity,
    triggeredAt: new Date(draft.triggeredAt ?? origin.now).toISOString(),
    context,
  };
}
