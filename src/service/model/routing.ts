import type { Routed, RouteQuestion } from '../agent/answer.ts';
import type { IssueRecord, Visible } from '../agent/types.ts';
import type { ServiceLog } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { type Model, type ModelSession, ModelUnavailable } from './model.ts';
import { routeByModel } from './route.ts';

/**
 * Whether the model may see an issue, or something that was asked. What is not known to be public counts as private: then
 * `MODEL_PRIVATE` has to allow it, and its channel to have agreed to this very host, when it was sent.
 */
export function maySee(
  { settings, host }: Pick<Model, 'settings' | 'host'>,
  { visibility, agreedModel }: Visible,
): boolean {
  return visibility === 'public' || (settings.private && agreedModel === host);
}

type Route = (asked: RouteQuestion, issue: IssueRecord | null) => Promise<Routed | null>;

/** Has the model choose the tools for one question, where it may see it; `undefined` where it may not. */
export function routing(
  model: Model,
  session: ModelSession,
  {
    organization,
    said,
    metrics,
    log,
  }: {
    organization: string;
    /** The question, and all that was asked before it in its conversation. */
    said: readonly Visible[];
    metrics: Pick<ServiceMetrics, 'routedOtherwise'>;
    log: ServiceLog;
  },
): Route | undefined {
  if (!model.uses('route') || !said.every((one) => maySee(model, one))) return undefined;
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
      const [own, other] = [asked.hint, routed.calls.map(({ tool }) => tool.name)].map(namesOf);
      if (own !== other) metrics.routedOtherwise(own || 'none', other || 'none');
      return routed;
    } catch (error) {
      if (!(error instanceof ModelUnavailable))
        log.error({ err: error }, 'the model was not used for a question');
      return null;
    }
  };
}

/** The names of tools, for a comparison. */
function namesOf(names: readonly string[]): string {
  return [...new Set(names)].sort().join('+');
}
