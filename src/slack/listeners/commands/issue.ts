import { renderCard } from '../../../render/card.ts';
import { notAllowed, serviceFailure, unknownIssue } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { usageIssue } from '../../../render/usage.ts';
import type { CardView } from '../../../render/views.ts';
import { ServiceError } from '../../../service/errors.ts';
import type { IssueDetail } from '../../../service/schema/issue.ts';
import { explainServiceError } from '../../../service/words.ts';
import { cardView } from '../../contents/card.ts';
import type { ListenerDeps, Register } from '../deps.ts';
import { tellPerson } from '../tell.ts';
import { commandPattern } from './pattern.ts';

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
    await tellPerson(respond, await show(number, deps), deps);
  });
};

async function show(number: number, deps: ListenerDeps): Promise<Rendered> {
  try {
    const detail = await deps.service.issues.byNumber(number);
    const ours = await deps.store.issues.byUuid(detail.uuid);
    const known = ours ? cardView(ours, deps.simulated) : null;
    return renderCard(
      known ? { ...known, status: detail.status } : foreignCard(detail, deps),
      deps.clock.now(),
    );
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return unknownIssue(String(number));
    deps.log.warn({ err: error, number }, 'an issue could not be shown');
    return serviceFailure(explainServiceError(error));
  }
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
    simulated,
  };
}
