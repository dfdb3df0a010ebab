import type { IssueDetail } from '../../../../../contract/answers.ts';
import type { CardView } from '../../../../render/views.ts';
import type { ListenerDeps } from '../../../listening/deps.ts';

/** The card of an issue that was not filed by Gumshoe, from what the service says. */
export function foreignCard(
  detail: IssueDetail,
  { clock, simulated }: Pick<ListenerDeps, 'clock' | 'simulated'>,
): CardView {
  const since = Date.parse(detail.updatedAt ?? detail.createdAt ?? '');
  return {
    issueId: '',
    number: detail.number,
    title: detail.title ?? '',
    severity: detail.severity ?? '',
    environment: detail.environment ?? '',
    service: null,
    status: detail.status,
    failure: null,
    statusSince: Number.isNaN(since) ? clock.now() : since,
    source: null,
    alertUrl: null,
    repeats: 0,
    lastRepeatAt: null,
    recoveredAt: null,
    lastAction: null,
    raisedFrom: null,
    note: null,
    mutedUntil: null,
    hidden: 0,
    earlier: null,
    relations: { attachedTo: null, attached: [], apartFrom: null, apart: [] },
    progress: null,
    investigation: null,
    requestedBy: null,
    offers: {
      notSame: false,
      attach: false,
      investigateAgain: false,
      delete: false,
      evidence: false,
      attachTo: null,
    },
    simulated,
  };
}
