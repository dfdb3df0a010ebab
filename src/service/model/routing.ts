import { namesOf, type Routed, type RouteQuestion } from '../agent/plan.ts';
import { TOOLS } from '../agent/tools.ts';
import type { IssueOverview, IssueRecord } from '../agent/types.ts';
import type { ServiceLog } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { type Model, type ModelSession, ModelUnavailable } from './model.ts';
import { routeByModel } from './route.ts';

/** Whether the model may see something of an issue. What is not known to be public counts as private. */
export function maySee(
  { settings }: Pick<Model, 'settings'>,
  { visibility }: Pick<IssueOverview, 'visibility'>,
): boolean {
  return settings.private || visibility === 'public';
}

type Route = (asked: RouteQuestion, issue: IssueRecord | null) => Promise<Routed | null>;

/** Has the model choose the tools for one question, where it may see it; `undefined` where it may not. */
export function routing(
  model: Model,
  session: ModelSession,
  {
    organization,
    isPrivate,
    metrics,
    log,
  }: {
    organization: string;
    isPrivate: boolean;
    metrics: Pick<ServiceMetrics, 'routedOtherwise'>;
    log: ServiceLog;
  },
): Route | undefined {
  if (!model.uses('route') || (isPrivate && !model.settings.private)) return undefined;
  return async (asked, issue) => {
    if (issue !== null && !maySee(model, issue)) return null;
    const shown = {
      ...asked,
      issues: asked.issues.filter((one) => maySee(model, one)),
      talk: model.settings.shareTalk ? asked.talk : [],
    };
    try {
      const routed = await routeByModel(shown, session, { organization, issue: asked.issue, use: 'route' });
      if (routed === null) return null;
      const rules = TOOLS.filter(({ name }) => asked.hint.includes(name)).map((tool) => ({ tool }));
      const [own, other] = [namesOf(rules), namesOf(routed.calls)];
      if (own !== other) metrics.routedOtherwise(own === '' ? 'none' : own, other);
      return routed;
    } catch (error) {
      if (!(error instanceof ModelUnavailable))
        log.error({ err: error }, 'the model was not used for a question');
      return null;
    }
  };
}
