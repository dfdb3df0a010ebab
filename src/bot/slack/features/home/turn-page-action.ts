import type { ListenerDeps } from '../../listening/deps.ts';
import { type HomeActionContext, onHomeAction } from './on-home-action.ts';

/** *Previous* and *Next* on the Home; the value is the page. */
function turn({ userId, value }: HomeActionContext, deps: ListenerDeps): Promise<void> {
  return deps.home.show(userId, { page: /^\d{1,6}$/.test(value) ? Number(value) : 0 });
}

export const homePrevious = onHomeAction('homePrevious', turn);
export const homeNext = onHomeAction('homeNext', turn);
