import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Argo CD, by the templates of its own catalogue. */
export const argocd: Format = { name: 'argocd', tool: 'Argo CD', extract };
