import type { IssueNumber } from '../../../../../lib/issue-number.ts';
import { mayBeShownIn } from '../../../../filing/privacy.ts';
import { renderCard } from '../../../../render/issues/card.ts';
import { renderPrivateCard } from '../../../../render/issues/private-card.ts';
import type { Rendered } from '../../../../render/rendered.ts';
import type { Viewer } from '../../../access/issue-access.ts';
import type { ListenerDeps } from '../../../listening/deps.ts';
import { cardView, privateView } from '../../../messages/card-view.ts';
import { findIssue } from './find.ts';
import { foreignCard } from './foreign-card.ts';

/** An issue's card with the service's current state; if the issue is gone there, with its last known state. */
export async function show(number: IssueNumber, viewer: Viewer, deps: ListenerDeps): Promise<Rendered> {
  const { channel } = viewer;
  const now = deps.clock.now();
  const found = await findIssue(number, viewer, deps);
  if ('refused' in found) return (await deletedCard(number, channel, deps)) ?? found.refused;
  const { detail, ours } = found;
  if (!ours) return renderCard({ ...foreignCard(detail, deps), number }, now);
  const { status } = detail;
  return (await mayBeShownIn(deps.store, ours.channel, channel))
    ? renderCard({ ...(await cardView(ours, channel, deps)), status }, now)
    : renderPrivateCard({ ...privateView(ours, deps), number, status });
}

/** `null` if we know of no deleted issue with that number. */
async function deletedCard(
  number: IssueNumber,
  channel: string,
  deps: ListenerDeps,
): Promise<Rendered | null> {
  const ours = await deps.store.issues.byNumber(number);
  if (ours?.state !== 'gone') return null;
  return (await mayBeShownIn(deps.store, ours.channel, channel))
    ? renderCard(await cardView(ours, channel, deps), deps.clock.now())
    : renderPrivateCard(privateView(ours, deps));
}
