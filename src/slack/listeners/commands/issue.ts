import { mayBeShownIn } from '../../../filing/privacy.ts';
import { renderCard } from '../../../render/card.ts';
import { notAllowed, serviceFailure, unknownIssue } from '../../../render/notices.ts';
import { renderPrivateCard } from '../../../render/private-card.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { usageIssue } from '../../../render/usage.ts';
import type { CardView } from '../../../render/views.ts';
import { ServiceError } from '../../../service/errors.ts';
import type { IssueDetail } from '../../../service/schema/issue.ts';
import { explainServiceError } from '../../../service/words.ts';
import type { Issue } from '../../../store/issues.ts';
import { cardView, privateView } from '../../contents/card-view.ts';
import type { ListenerDeps, Register } from '../deps.ts';
import { tellPerson } from '../tell.ts';
import { commandPattern } from './pattern.ts';

/** At the end of the description of every issue that we file. */
const REFERENCE = /Reference: gumshoe-([\w-]{1,64})\s*$/u;
const NUMBER = /^(?:show\s+)?#?(\d{1,16})$/iu;

/** `/issue <n>` (or `show <n>`) shows an issue's card, as the service knows it now, to the person who asked. */
export const issue: Register = (app, deps) => {
  app.command(commandPattern('issue'), async ({ ack, command, respond }) => {
    await ack();
    const refusal = await deps.people.refusal(command.user_id);
    if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
    const asked = NUMBER.exec(command.text.trim())?.[1];
    const number = Number(asked);
    if (asked === undefined || !Number.isSafeInteger(number) || number < 1) {
      return tellPerson(respond, usageIssue(), deps);
    }
    await tellPerson(respond, await show(number, command.channel_id, deps), deps);
  });
};

async function show(number: number, channel: string, deps: ListenerDeps): Promise<Rendered> {
  try {
    const detail = await deps.service.issues.byNumber(number);
    const ours = await ourIssue(detail, deps);
    if (!ours) return renderCard(foreignCard(detail, deps), deps.clock.now());
    const { status } = detail;
    return (await mayBeShownIn(deps.store, ours.channel, channel))
      ? renderCard({ ...(await cardView(ours, channel, deps)), status }, deps.clock.now())
      : renderPrivateCard({ ...privateView(ours, deps), number, status });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return unknownIssue(String(number));
    deps.log.warn({ err: error, number }, 'an issue could not be shown');
    return serviceFailure(explainServiceError(error));
  }
}

/** By its uuid, or by its reference where our record does not have the uuid yet. */
async function ourIssue({ uuid, description }: IssueDetail, { store }: ListenerDeps): Promise<Issue | null> {
  const known = await store.issues.byUuid(uuid);
  const reference = REFERENCE.exec(description ?? '')?.[1];
  return known ?? (reference === undefined ? null : store.issues.get(reference));
}

/** An issue that somebody filed elsewhere: what the service says of it. */
function foreignCard(detail: IssueDetail, { clock, simulated }: ListenerDeps): CardView {
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
    requestedBy: null,
    offers: { notSame: false, attach: false, investigateAgain: false, attachTo: null },
    simulated,
  };
}
