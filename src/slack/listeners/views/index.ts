import type { viewIds } from '../../../render/view-ids.ts';
import type { Register } from '../deps.ts';

/** One line a modal's submission; the names are those of `render/view-ids.ts`. */
export const views: Partial<Record<keyof typeof viewIds, Register>> = {};
