import type { Remediation } from '../../../contract/schema.ts';
import { concernedBy, type IssueState, stateOf, subjectOf, trackedOf } from '../issue-scope.ts';
import type { Facts, IssueScope } from '../types.ts';
import { changesSince, endedBy } from './effect.ts';
import { type Look, lookInto } from './investigation.ts';
import { isBlamedChange, MAY_LEAD, type Verdict, verdictOf } from './verdict.ts';

type Action = Remediation['actions'][number];

/** What to do about a trouble: its checklist, and what is known of taking a change back. */
export interface Advice {
  verdict: Verdict;
  /** What it is about, where telemetry knows nothing by that name. */
  unknown: string | null;
  service: string | null;
  state: IssueState;
  endedBy: { at: number; title: string } | null;
  first: Action[];
  later: Action[];
  rollback: Rollback | null;
  /** The look at what is asked about, where what departs is another thing: its steps are none for this one. */
  elsewhere?: Look;
}

interface Rollback {
  /** `null` if no deploy was seen. */
  change: { title: string; before: string | null; command: string | null; isProven: boolean } | null;
  services: readonly string[];
  /** Files of it that migrate data; `null` if its files are not known. */
  migrations: string[] | null;
  files: number;
}

/** What of a change cannot be taken back with it. */
const MIGRATES = /migrat|\.sql$|schema/iu;

/** What to do about an issue, or about what a look finds. */
export async function adviceFor(
  own: readonly string[],
  { asked, isOfRollback }: { asked: string; isOfRollback: boolean },
  facts: Facts,
): Promise<Advice> {
  if (facts.scope !== null) return checklistOf(facts.scope, facts, isOfRollback);
  const service = subjectOf({ services: own }, facts);
  const { look, scope } = await lookInto({ question: asked, service, at: facts.now }, facts);
  const isElsewhere = service !== null && look.elsewhere !== null;
  return {
    ...(await checklistOf(scope, facts, isOfRollback)),
    verdict: look.verdict,
    ...(isElsewhere && { first: [], later: [], elsewhere: look }),
  };
}

/** What the results of an issue, or of a look, propose. */
export async function checklistOf(scope: IssueScope, facts: Facts, isOfRollback: boolean): Promise<Advice> {
  const actions = scope.issue.findings?.remediation.actions ?? [];
  const first = actions.filter(({ category }) => category === 'immediate');
  const state = stateOf(trackedOf(scope, facts), facts.now);
  const end = state.is === 'over' ? endedBy(await changesSince(scope, facts), state.since) : undefined;
  return {
    verdict: verdictOf(scope),
    unknown: scope.unknown,
    service: scope.symptom,
    state,
    endedBy: end === undefined ? null : { at: end.at, title: end.title },
    first,
    later: actions.filter((action) => !first.includes(action)),
    rollback: isOfRollback ? await rollbackOf(scope, facts) : null,
  };
}

/** Taking the blamed change back, else the last deploy before the trouble. */
async function rollbackOf(scope: IssueScope, facts: Facts): Promise<Rollback> {
  const window = { from: scope.onset - MAY_LEAD, to: facts.now + 1 };
  const services = concernedBy(scope);
  const changes = (await facts.changes(window)).filter(
    ({ service }) => service !== null && services.includes(service),
  );
  const blamed = changes.find((one) => isBlamedChange(one, scope));
  const deploys = changes.filter(
    // What the alert's own service got may be why it alerts, however early something else began.
    ({ at, version, service }) =>
      version !== null && at <= (service === scope.issue.service ? scope.issue.triggeredAt : scope.onset),
  );
  const last = deploys.findLast(({ service }) => service === scope.issue.service) ?? deploys.at(-1);
  // Of two sources that saw one deploy, the one that says most of it.
  const told = deploys.find(
    ({ service, version, files }) =>
      files !== undefined && service === last?.service && version === last.version,
  );
  const change = blamed ?? told ?? last;
  const earlier = deploys.findLast(
    ({ service, version, at }) =>
      service === change?.service && version !== change?.version && at < (change?.at ?? 0),
  );
  return {
    change:
      change === undefined
        ? null
        : {
            title: change.title,
            before: change.before ?? earlier?.version ?? null,
            command: change.undo?.type === 'command' ? change.undo.content : null,
            isProven: blamed !== undefined,
          },
    services,
    migrations: change?.files?.filter((path) => MIGRATES.test(path)) ?? null,
    files: change?.files?.length ?? 0,
  };
}
