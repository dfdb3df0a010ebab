import type { Deps } from '../../deps.ts';
import type { actionIds } from '../../render/action-ids.ts';
import { moreChoiceOf } from '../../render/issues/more.ts';
import { issueUnknownHere } from '../../render/notices.ts';
import type { Act } from '../../store/acts.ts';
import type { Issue } from '../../store/issues.ts';
import { type IssueAction, isPermitted } from '../access/rights.ts';
import type { Register } from './feature.ts';
import { onButton, type Press } from './press.ts';

/** A press on one of an issue's buttons, or a choice in its menu. */
export interface IssueActionContext extends Press {
  issue: Issue;
  /** What was chosen in a menu, or which part of the issue a button is about; `null` for the whole issue. */
  choice: string | null;
}

/** A listener for an issue button. People who may not use it, or whose issue is unknown, are told so. */
export function onIssueAction(
  name: keyof typeof actionIds,
  act: (action: IssueActionContext, deps: Deps) => Promise<void>,
): Register {
  return onButton(
    name,
    async (press, deps) => {
      const { issueId, choice } = parseValue(press.value);
      const issue = await deps.store.issues.get(issueId);
      if (!issue || !(await isPermitted(actionOf(name, choice), issue, press.channel, deps))) {
        return issueUnknownHere();
      }
      await act({ ...press, issue, choice }, deps);
      return undefined;
    },
    { inThread: true },
  );
}

function parseValue(value: string): { issueId: string; choice: string | null } {
  const colon = value.indexOf(':');
  return { issueId: value.slice(colon + 1), choice: colon < 0 ? null : value.slice(0, colon) };
}

/** The action of a click; a menu's is what was chosen in it. */
function actionOf(name: keyof typeof actionIds, choice: string | null): IssueAction {
  return name === 'more' ? (moreChoiceOf(choice) ?? name) : name;
}

/**
 * Records a status change as the newest, or returns the later one that was handled before it: then this one is out of
 * order, which is added to the issue's history, and must not be carried out.
 *
 * @param issueId our id of the issue; `null` for one that was filed elsewhere
 */
export function takeInOrder(
  { uuid, issueId, ...act }: Omit<Act, 'subject'> & { uuid: string; issueId: string | null },
  { store, clock }: Deps,
): Promise<Act | null> {
  return store.transaction(async (tx) => {
    const at = clock.now();
    const later = await tx.acts.take({ ...act, subject: `issue:${uuid}` }, at);
    if (later !== null && issueId !== null) {
      const what = `${act.what} before that; it arrived too late and changed nothing`;
      await tx.audit.add({ at, who: act.who, what, issueId });
    }
    return later;
  });
}
